import type { Search, WebDeps } from '@errand/web';
import type { Tool } from '../tool.ts';
import { audioTranscribe, type TranscribeUrl } from './audio-transcribe.ts';
import { documentParse } from './document-parse.ts';
import { readData } from './read-data.ts';
import { requestInput } from './request-input.ts';
import { type Memory, saveData } from './save-data.ts';
import { type FileExport, saveFile } from './save-file.ts';
import { type See, vision } from './vision.ts';
import { webCrawl } from './web-crawl.ts';
import { webSearch } from './web-search.ts';
import { writeTodos } from './write-todos.ts';

export interface ToolDeps {
  web: WebDeps;
  search: Search;
  documentConversionEnabled: boolean;
  see: See;
  transcribe: TranscribeUrl;
  memory: Memory;
  fileExport?: FileExport;
}

/** Every tool that is offered to the model. */
export const agentTools = (deps: ToolDeps): Tool[] => [
  webSearch(deps),
  webCrawl(deps),
  documentParse(deps),
  vision(deps),
  audioTranscribe(deps),
  saveData(deps),
  saveFile(deps),
  readData(deps),
  writeTodos(),
  requestInput(),
];

/** The tools that `GET /v1/agents` names. The others work too. */
export const listedTools = [
  'web_search',
  'web_crawl',
  'document_parse',
  'vision',
  'audio_transcribe',
  'save_data',
  'save_file',
] as const;
