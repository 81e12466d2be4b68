import type { UpstreamRequest } from '../upstream.ts';
import { multipartForm } from './multipart.ts';
import type { Recording } from './recording.ts';
import { type SpokenPart, type Transcript, toTranscript } from './transcript.ts';

/** What the model is asked for, best first: speakers and times, times, or the text alone. */
export type TranscriptFormat = 'diarized_json' | 'verbose_json' | 'json';

/** Which formats a model may know. Names that tell nothing are asked for the best and may refuse it. */
export function formatsOf(model: string): TranscriptFormat[] {
  if (/diari[sz]e/i.test(model)) return ['diarized_json'];
  if (/whisper/i.test(model)) return ['verbose_json', 'json'];
  if (/gpt-.*transcribe/i.test(model)) return ['json'];
  return ['diarized_json', 'verbose_json', 'json'];
}

/** `POST /audio/transcriptions`. */
export function openaiRequest(
  model: string,
  format: TranscriptFormat,
  recording: Recording,
): UpstreamRequest {
  const fields: [string, string][] = [
    ['model', model],
    ['response_format', format],
  ];
  // Without it the diarizing model refuses what is longer than 30 seconds.
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

export function readOpenaiTranscript(json: unknown): Transcript {
  const { duration, language, segments, text, usage } = (json ?? {}) as OpenaiTranscription;
  const parts = Array.isArray(segments) ? (segments as (SpokenPart | null)[]) : [];
  return toTranscript({
    duration: duration ?? usage?.seconds,
    language,
    parts: parts.filter((part) => part !== null),
    text,
  });
}
