import { UpstreamError } from '../upstream-error.ts';

interface TranscriptSegment {
  startSeconds: number;
  endSeconds: number;
  /** Speakers are numbered from 1 in the order in which they first speak. */
  speaker: number;
  text: string;
}

export interface Transcript {
  durationSeconds: number;
  /** The provider's code or word for the language; `unknown` if it gives none. */
  language: string;
  segments: TranscriptSegment[];
}

/** A segment as the provider sends it. */
export interface SpokenPart {
  start: unknown;
  end: unknown;
  speaker: unknown;
  text: unknown;
}

/** A week. A larger number is no time within a recording. */
const mostSeconds = 604_800;

const seconds = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= mostSeconds ? number : undefined;
};

/** A segment is one line of the transcript. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Makes a transcript, in order of time, from a provider's answer. The end of the last segment replaces a missing
 * duration. Throws `UpstreamError` `unreadable` if there is no duration, or 0 seconds with words: nothing could be
 * charged.
 */
export function toTranscript(sent: {
  duration: unknown;
  language: unknown;
  parts: readonly SpokenPart[];
  text: unknown;
}): Transcript {
  const speakers = new Map<unknown, number>();
  const inOrder = sent.parts.toSorted(
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
  const last = segments.reduce<number | undefined>(
    (latest, { endSeconds }) => Math.max(latest ?? 0, endSeconds),
    undefined,
  );
  const durationSeconds = seconds(sent.duration) || last || seconds(sent.duration);
  if (durationSeconds === undefined) throw new UpstreamError('unreadable');
  const whole = typeof sent.text === 'string' ? onOneLine(sent.text) : '';
  if (segments.length === 0 && whole !== '')
    segments.push({ startSeconds: 0, endSeconds: durationSeconds, speaker: 1, text: whole });
  if (durationSeconds === 0 && segments.some(({ text }) => text !== ''))
    throw new UpstreamError('unreadable');
  const language = (typeof sent.language === 'string' && onOneLine(sent.language)) || 'unknown';
  return { durationSeconds, language, segments };
}
