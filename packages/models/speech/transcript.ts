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

/** A week: what says more is no time within a recording. */
const mostSeconds = 604_800;

const seconds = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= mostSeconds ? number : undefined;
};

/** Each thing said stands on a line of its own. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * One transcript out of what a provider told, in the order in which it was said. Words without a duration could not be
 * charged: `unreadable`.
 */
export function toTranscript(told: {
  duration: unknown;
  language: unknown;
  parts: readonly SpokenPart[];
  text: unknown;
}): Transcript {
  const speakers = new Map<unknown, number>();
  const inOrder = told.parts.toSorted(
    (one, other) => (seconds(one.start) ?? 0) - (seconds(other.start) ?? 0),
  );
  const segments = inOrder.flatMap(({ start, end, speaker, text }) => {
    if (typeof text !== 'string') return [];
    if (!speakers.has(speaker)) speakers.set(speaker, speakers.size + 1);
    const startSeconds = seconds(start) ?? 0;
    return [
      {
        startSeconds,
        endSeconds: seconds(end) ?? startSeconds,
        speaker: speakers.get(speaker) ?? 1,
        text: onOneLine(text),
      },
    ];
  });
  const last = segments.length > 0 ? Math.max(...segments.map(({ endSeconds }) => endSeconds)) : undefined;
  const durationSeconds = seconds(told.duration) || last || seconds(told.duration);
  if (durationSeconds === undefined) throw new UpstreamError('unreadable');
  const whole = typeof told.text === 'string' ? onOneLine(told.text) : '';
  if (segments.length === 0 && whole !== '')
    segments.push({ startSeconds: 0, endSeconds: durationSeconds, speaker: 1, text: whole });
  if (durationSeconds === 0 && segments.some(({ text }) => text !== ''))
    throw new UpstreamError('unreadable');
  const language = (typeof told.language === 'string' && onOneLine(told.language)) || 'unknown';
  return { durationSeconds, language, segments };
}
