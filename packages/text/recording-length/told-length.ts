import type { bitRates } from './bit-rates.ts';
import type { RecordingParts } from './recording-bytes.ts';

/** What the bytes of a recording say of its length. */
export interface ToldLength {
  seconds: number;
  /** Whether the header says so; else it is an estimate. */
  exact: boolean;
  /** The bytes that are sound, if pictures and tags were told apart. */
  soundBytes?: number;
  /** What it is, if only its later bytes tell. */
  kind?: keyof typeof bitRates;
}

/** Undefined if the recording says nothing of its length. */
export type ReadLength = (file: RecordingParts) => Promise<ToldLength | undefined>;

/** What follows may be quieter or simpler than the beginning, and so have fewer bytes a second. */
const mostAsDense = 2;

/** The length of the whole, if so many bytes of its beginning last so long. */
export const estimateFromBeginning = (seconds: number, ofBytes: number, bytes: number): ToldLength => ({
  seconds: mostAsDense * estimateFromMost(seconds, ofBytes, bytes),
  exact: false,
});

/** The length of the whole, if nearly all of its bytes last so long. */
export const estimateFromMost = (seconds: number, ofBytes: number, bytes: number): number =>
  (seconds * Math.max(bytes, ofBytes)) / ofBytes;
