import type { Readable } from 'node:stream';

export interface Recording {
  body: Readable;
  filename: string;
  contentType: string;
  /** Its size, where it is known: some servers refuse a form without a length. */
  bytes?: number;
}

/** From its start, as often as it is asked for: by a retry, a fallback or a simpler format. */
export type OpenRecording = () => Promise<Recording>;
