import { UpstreamError } from '../upstream-error.ts';

export interface TranscriptSegment {
  startSeconds: number;
  endSeconds: number;
  /** From 1, in the order in which they first speak. */
  speaker: number;
  text: string;
}

export interface Transcript {
  durationSeconds: number;
  /** As the provider names it: a code or a word; `unknown` where it does not. */
  language: string;
  segments: TranscriptSegment[];
}

/** A segment as a provider has it, before its speaker has a number. */
export interface SpokenPart {
  start: unknown;
  end: unknown;
  speaker: unknown;
  text: unknown;
}

const seconds = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
};

/** One transcript out of what a provider told. Without a duration nothing can be charged: `unreadable`. */
export function toTranscript(told: {
  duration: unknown;
  language: unknown;
  parts: readonly SpokenPart[];
  text: unknown;
}): Transcript {
  const speakers = new Map<unknown, number>();
  const segments = told.parts.flatMap(({ start, end, speaker, text }) => {
    if (typeof text !== 'string') return [];
    if (!speakers.has(speaker)) speakers.set(speaker, speakers.size + 1);
    const startSeconds = seconds(start) ?? 0;
    return [
      {
        startSeconds,
        endSeconds: seconds(end) ?? startSeconds,
        speaker: speakers.get(speaker) ?? 1,
        text: text.trim(),
      },
    ];
  });
  const last = segments.length > 0 ? Math.max(...segments.map(({ endSeconds }) => endSeconds)) : undefined;
  const durationSeconds = seconds(told.duration) ?? last;
  if (durationSeconds === undefined) throw new UpstreamError('unreadable');
  if (segments.length === 0 && typeof told.text === 'string' && told.text.trim() !== '')
    segments.push({ startSeconds: 0, endSeconds: durationSeconds, speaker: 1, text: told.text.trim() });
  const language = typeof told.language === 'string' && told.language !== '' ? told.language : 'unknown';
  return { durationSeconds, language, segments };
}
