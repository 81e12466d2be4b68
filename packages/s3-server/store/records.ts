import type { ChecksumAlgorithm } from '../wire/checksums.ts';
import type { Segment } from './segments.ts';

export interface StoredChecksum {
  algorithm: ChecksumAlgorithm;
  /** Base64; a composite of parts ends in `-` and their number. */
  value: string;
}

/** What is written beside an object's bytes. */
export interface ObjectRecord {
  key: string;
  segments: Segment[];
  bytes: number;
  /** With its quotes. */
  entityTag: string;
  modifiedAtMilliseconds: number;
  /** Content headers and user metadata, as they are sent back. */
  headers: Record<string, string>;
  checksum?: StoredChecksum;
}

export interface PartRecord {
  partNumber: number;
  segment: Segment;
  entityTag: string;
  modifiedAtMilliseconds: number;
  checksum?: StoredChecksum;
}

export interface UploadRecord {
  uploadId: string;
  key: string;
  startedAtMilliseconds: number;
  headers: Record<string, string>;
  checksumAlgorithm?: ChecksumAlgorithm;
}

export interface LifecycleRule {
  id: string;
  enabled: boolean;
  prefix: string;
  expireAfterDays?: number;
  abortUploadsAfterDays?: number;
}

export interface BucketRecord {
  name: string;
  createdAtMilliseconds: number;
  lifecycle?: LifecycleRule[];
}
