import { Readable } from 'node:stream';
import { randomText } from '@errand/platform';
import type { UpstreamRequest } from '../upstream.ts';
import type { Recording, SpeechProtocol } from './protocol.ts';
import { type SpokenPart, type Transcript, toTranscript } from './transcript.ts';

export const openai: SpeechProtocol = {
  // Anthropic lists 20 unless it is asked for more.
  listing: ({ api }) => ({ path: api === 'messages' ? '/models?limit=1000' : '/models' }),
  requests: ({ model }) =>
    formatsOf(model).map((format) => (recording) => transcriptionRequest(model, format, recording)),
  read: readTranscript,
};

/** In this order: text with speakers and times, text with times, text alone. */
type TranscriptFormat = 'diarized_json' | 'verbose_json' | 'json';

/** The formats that a model may know, the best first. A model with an unknown name may refuse some of them. */
function formatsOf(model: string): TranscriptFormat[] {
  if (/diari[sz]e/i.test(model)) return ['diarized_json'];
  if (/whisper/i.test(model)) return ['verbose_json', 'json'];
  if (/gpt-.*transcribe/i.test(model)) return ['json'];
  return ['diarized_json', 'verbose_json', 'json'];
}

function transcriptionRequest(
  model: string,
  format: TranscriptFormat,
  recording: Recording,
): UpstreamRequest {
  const fields: [string, string][] = [
    ['model', model],
    ['response_format', format],
  ];
  // Without a chunking strategy the diarizing model refuses recordings over 30 seconds.
  if (format === 'diarized_json') fields.push(['chunking_strategy', 'auto']);
  if (format === 'verbose_json') fields.push(['timestamp_granularities[]', 'segment']);
  return { path: '/audio/transcriptions', ...multipartForm(fields, recording) };
}

interface OpenaiTranscription {
  duration?: unknown;
  language?: unknown;
  segments?: unknown;
  text?: unknown;
  usage?: { seconds?: unknown };
}

function readTranscript(json: unknown): Transcript {
  const { duration, language, segments, text, usage } = (json ?? {}) as OpenaiTranscription;
  const parts = Array.isArray(segments) ? (segments as (SpokenPart | null)[]) : [];
  return toTranscript({
    duration: duration ?? usage?.seconds,
    language,
    parts: parts.filter((part) => part !== null),
    text,
  });
}

interface FilePart {
  filename: string;
  contentType: string;
  body: Readable;
  /** The file's size. If it is known, the form is sent with a length. */
  bytes?: number;
}

/** A form with one file. The file is read while the form is sent, and never held in memory. */
function multipartForm(
  fields: readonly (readonly [name: string, value: string])[],
  file: FilePart,
): { headers: Record<string, string | number>; body: Readable } {
  const boundary = `----errand${randomText(24)}`;
  const head = Buffer.from(
    [
      ...fields.map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.filename)}"\r\n`,
      `Content-Type: ${file.contentType.replace(/[^\x20-\x7e]/g, '')}\r\n\r\n`,
    ].join(''),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(file.bytes !== undefined && { 'content-length': head.length + file.bytes + tail.length }),
    },
    body: Readable.from(inOrder(head, file.body, tail), { objectMode: false }),
  };
}

async function* inOrder(head: Buffer, body: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* body as AsyncIterable<Buffer>;
  yield tail;
}

/** Escapes a file's name as browsers do (WHATWG HTML, multipart/form-data). */
const quoted = (name: string): string => name.replace(/\r?\n|\r/g, ' ').replaceAll('"', '%22');
