import type { Segment } from './segments.ts';

/** Everything of an object but its bytes, which are in its segments. */
export interface ObjectRecord {
  key: string;
  segments: Segment[];
  bytes: number;
  /** With its quotes. */
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
