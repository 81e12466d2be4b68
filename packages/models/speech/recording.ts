import type { Readable } from 'node:stream';

export interface Recording {
  body: Readable;
  filename: string;
  contentType: string;
  /** Its size, where it is known: some servers refuse a form without a length. */
  bytes?: number;
}

/** A body is tried again, and over fallbacks, while it can be opened again; an open stream can be up to 25 MB. */
export type RecordingInput = Omit<Recording, 'body'> & {
  body: Readable | (() => Readable | Promise<Readable>);
};
