import type { Segment } from './segments.ts';

/** An object without its bytes, which are in its segments. */
export interface ObjectRecord {
  key: string;
  segments: Segment[];
  bytes: number;
  /** The tag with its quotes. */
  entityTag: string;
  modifiedAtMilliseconds: number;
  /** Content headers and user metadata, as they are sent back. */
  headers: Record<string, string>;
}

/** One part of an upload in parts. */
export interface PartRecord {
  partNumber: number;
  segment: Segment;
  entityTag: string;
}

export interface UploadRecord {
  uploadId: string;
  key: string;
  startedAtMilliseconds: number;
  headers: Record<string, string>;
}
