import { limits } from '@errand/platform';
import * as v from 'valibot';
import { explainFailure } from '../reading/open-address.ts';
import type { ReadSource } from '../reading/read-source.ts';
import { defineTool } from '../tool.ts';
import { address } from './address.ts';
import { askedFields, askedFor } from './asked.ts';

export const audioTranscribe = (deps: { readTranscript: ReadSource }) =>
  defineTool({
    name: 'audio_transcribe',
    description:
      'Transcribes a recording on the web, or an attached one, with time stamps and numbered speakers. Of a long one it shows the best passages.',
    parameters: v.object({
      url: address('The address of the recording, http or https, or the name of an attached recording.'),
      ...askedFields,
    }),
    timeoutMilliseconds: limits.audioToolMilliseconds,
    readsOnly: true,
    sends: ({ url }) => ({ address: url }),
    run: ({ url, ...asked }, input) => deps.readTranscript(url, askedFor(asked), input).catch(explainFailure),
  });
