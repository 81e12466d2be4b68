import type { Readable } from 'node:stream';

export interface Recording {
  body: Readable;
  filename: string;
  contentType: string;
  /** The size, if it is known. Some servers refuse a form without a length. */
  bytes?: number;
}

/** Opens the recording from its start. Retries, fallbacks and simpler formats each call it again. */
export type OpenRecording = () => Promise<Recording>;

/** The speech model's server gave up on a recording that came too slowly from where it lies. No fault of the server's. */
export class SlowRecording extends Error {
  override readonly name = 'SlowRecording';
}
