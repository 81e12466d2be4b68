import type { Reading } from '@errand/passages';
import { hasRoomForOneThread } from '@errand/platform';
import { readDocument } from './read-document.ts';
import type { ReadDocument } from './worker-messages.ts';

export interface DocumentToRead {
  source: DocumentSource;
  extension: string;
  /** The charset that the sender names. */
  charset?: string;
  /** What is shown of it. */
  reading: Reading;
  /** The account whose documents share threads with those of others. */
  owner?: string;
  signal: AbortSignal;
}

/** Where a document's bytes are. */
interface DocumentSource {
  /** Its key in the bucket, if it lies there. */
  key?: string;
  /** Loads the bytes. An array that fills its buffer is empty after the reading. */
  bytes(): Promise<Uint8Array>;
  /** Is called when this process needs the bytes no longer. */
  freed?(): void;
}

/** Reads a document in this process or in another one. Throws `DocumentError`, or the signal's reason. */
export type DocumentReader = (document: DocumentToRead) => Promise<ReadDocument>;

/** Reads documents in threads of this process. */
export const readInThread: DocumentReader = async ({ source, owner, ...asked }) => {
  const bytes = await source.bytes();
  // Where there is room for one thread, this one needs what the bytes have. Elsewhere they keep it until they are read.
  if (hasRoomForOneThread()) source.freed?.();
  return readDocument({ owner }, { ...asked, bytes });
};
