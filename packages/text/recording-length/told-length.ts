import type { bitRates } from './bit-rates.ts';
import type { RecordingParts } from './recording-bytes.ts';

/** The length of a recording, as far as its bytes tell it. */
export interface ToldLength {
  seconds: number;
  /** True if the header states the length; else it is estimated. */
  exact: boolean;
  /** The bytes of sound alone, if pictures and tags were recognised. */
  soundBytes?: number;
  /** The kind of recording, if only bytes behind the head tell it. */
  kind?: keyof typeof bitRates;
}

/** Undefined if the recording says nothing of its length. */
export type ReadLength = (file: RecordingParts) => Promise<ToldLength | undefined>;

/** The rest may be quieter or simpler than the beginning, and so have fewer bytes a second. */
const mostAsDense = 2;

/** The length of the whole, extrapolated from the length of its first bytes. */
export const estimateFromBeginning = (seconds: number, ofBytes: number, bytes: number): ToldLength => ({
  seconds: mostAsDense * estimateFromMost(seconds, ofBytes, bytes),
  exact: false,
});

/** The length of the whole, extrapolated from the length of nearly all of its bytes. */
export const estimateFromMost = (seconds: number, ofBytes: number, bytes: number): number =>
  (seconds * Math.max(bytes, ofBytes)) / ofBytes;
