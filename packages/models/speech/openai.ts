import type { UpstreamRequest } from '../upstream.ts';
import { multipartForm } from './multipart.ts';
import type { SpeechProtocol } from './protocols.ts';
import type { Recording } from './recording.ts';
import { type SpokenPart, type Transcript, toTranscript } from './transcript.ts';

export const openai: SpeechProtocol = {
  listing: () => ({ path: '/models' }),
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
