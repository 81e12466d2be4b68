import type { DocumentReader } from '@errand/documents';
import type { Log } from '@errand/platform';
import type { Search, WebDeps } from '@errand/web';
import type { Embedder } from '../embed-texts.ts';
import type { PaidCalls } from '../paid-calls.ts';
import type { KeptMaterial } from '../reading/kept-material.ts';
import { openDocument, openPage } from '../reading/open-address.ts';
import { openRecording } from '../reading/open-recording.ts';
import { createSourceReader, noReads, type OpenSource } from '../reading/read-source.ts';
import type { Tool, ToolAnswer } from '../tool.ts';
import { audioTranscribe } from './audio-transcribe.ts';
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
  log: Log;
  web: WebDeps;
  search: Search;
  documents: DocumentReader;
  documentConversionEnabled: boolean;
  see: See;
  transcribe(url: string, signal: AbortSignal): Promise<ToolAnswer>;
  /** For tools whose calls cost something. */
  calls: PaidCalls;
  /** Where the run keeps what it reads. */
  material: KeptMaterial;
  /** Finds passages by their meaning. Absent without an embedding model. */
  embedder?: Embedder;
  memory: Memory;
  /** The caller's own file. */
  upload?: { filename: string; url?: string } | undefined;
  fileExport?: FileExport;
}

/** Every tool that is offered to the model. */
export function agentTools(deps: ToolDeps): Tool[] {
  const { log, material, embedder, upload, web } = deps;
  const reads = noReads();
  const reader = (open: OpenSource) =>
    createSourceReader({ log, material, embedder, upload, owner: web.owner, reads, open });
  return [
    webSearch(deps),
    webCrawl({ readPage: reader(openPage(deps)) }),
    documentParse({ readDocument: reader(openDocument(deps)) }),
    vision(deps),
    audioTranscribe({
      readTranscript: reader(openRecording({ log, transcribe: deps.transcribe, owner: web.owner })),
    }),
    saveData(deps),
    saveFile(deps),
    readData(deps),
    writeTodos(),
    requestInput(),
  ];
}

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

/** The tools that a run may name. `request_input` is always there. */
export const nameableTools = [...listedTools, 'read_data', 'write_todos'] as const;

/** The tools that a run allows: those that it names, or all if it names none at all. */
export const allowedTools = (tools: readonly Tool[], named: readonly string[] | undefined): Tool[] =>
  tools.filter(
    ({ name }) =>
      named === undefined || named.includes(name) || !nameableTools.some((nameable) => nameable === name),
  );

/** Every name that a tool of ours has. A function of the caller has another one. */
export const ownToolNames = [...nameableTools, 'request_input', 'confirm_answer'] as const;
