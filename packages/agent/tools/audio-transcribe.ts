import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool, type ToolAnswer } from '../tool.ts';
import { address } from './address.ts';

export type TranscribeUrl = (url: string, signal: AbortSignal) => Promise<ToolAnswer>;

export const audioTranscribe = (deps: { transcribe: TranscribeUrl }) =>
  defineTool({
    name: 'audio_transcribe',
    description: 'Transcribes a recording on the web, with time stamps and numbered speakers.',
    parameters: v.object({
      url: address('The address of the recording, http or https.'),
    }),
    timeoutMilliseconds: limits.audioToolMilliseconds,
    sends: ({ url }) => ({ address: url }),
    run: ({ url }, { signal }) => deps.transcribe(url, signal),
  });
