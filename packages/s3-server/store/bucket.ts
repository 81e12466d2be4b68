import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durable-files.ts';
import { type Objects, openObjects } from './objects.ts';
import { openSegments, type Segments } from './segments.ts';
import { openUploads, type Uploads } from './uploads.ts';

export interface BucketDefinition {
  name: string;
  /** Objects under a prefix are deleted this many days after they were written. */
  expirations?: readonly { prefix: string; days: number }[];
  /** Unfinished uploads in parts are aborted this many days after they were begun. */
  abortUploadsAfterDays?: number;
}

export interface Bucket {
  objects: Objects;
  uploads: Uploads;
  segments: Segments;
  /** Removes expired objects and uploads. */
  sweep(nowMilliseconds: number): Promise<void>;
}

const dayMilliseconds = 24 * 3600 * 1000;

export async function openBucket(folder: string, definition: BucketDefinition): Promise<Bucket> {
  const { expirations = [], abortUploadsAfterDays = Number.POSITIVE_INFINITY } = definition;
  const [objectsFolder, uploadsFolder, segmentsFolder] = ['objects', 'uploads', 'segments'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const path of [objectsFolder, uploadsFolder, segmentsFolder]) await mkdir(path, { recursive: true });
  await syncFolder(folder);
  const segments = openSegments(segmentsFolder);
  const objects = await openObjects(objectsFolder, segments);
  const uploads = await openUploads(uploadsFolder, segments);
  await segments.removeStrays();

  return {
    objects,
    uploads,
    segments,
    async sweep(nowMilliseconds) {
      const isOver = (sinceMilliseconds: number, days: number) =>
        nowMilliseconds - sinceMilliseconds >= days * dayMilliseconds;
      for (const { prefix, days } of expirations) {
        const expired = objects.sortedKeys().filter((key) => {
          return key.startsWith(prefix) && isOver(objects.get(key)!.modifiedAtMilliseconds, days);
        });
        await objects.delete(expired);
      }
      for (const { uploadId, startedAtMilliseconds } of uploads.list()) {
        if (isOver(startedAtMilliseconds, abortUploadsAfterDays)) await uploads.remove(uploadId);
      }
    },
  };
}
