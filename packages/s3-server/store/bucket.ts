import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, syncFolder } from './durable-files.ts';
import { type Objects, openObjects } from './objects.ts';
import type { BucketRecord, LifecycleRule } from './records.ts';
import { openSegments, type Segments } from './segments.ts';
import { openUploads, type Uploads } from './uploads.ts';

export interface Bucket {
  readonly record: BucketRecord;
  objects: Objects;
  uploads: Uploads;
  segments: Segments;
  setLifecycle(rules: LifecycleRule[]): Promise<void>;
}

const bucketFile = 'bucket.json';

export async function createBucket(folder: string, record: BucketRecord): Promise<Bucket> {
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, bucketFile), JSON.stringify(record));
  return openBucket(folder);
}

export async function openBucket(folder: string): Promise<Bucket> {
  const [objectsFolder, uploadsFolder, segmentsFolder] = ['objects', 'uploads', 'segments'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  for (const path of [objectsFolder, uploadsFolder, segmentsFolder]) await mkdir(path, { recursive: true });
  await syncFolder(folder);
  let record = JSON.parse(await readFile(join(folder, bucketFile), 'utf8')) as BucketRecord;
  const segments = openSegments(segmentsFolder);
  const objects = await openObjects(objectsFolder, segments);
  const uploads = await openUploads(uploadsFolder, segments);
  await segments.removeStrays();

  return {
    get record() {
      return record;
    },
    objects,
    uploads,
    segments,
    async setLifecycle(lifecycle) {
      const changed = { ...record, lifecycle };
      await replaceFile(join(folder, bucketFile), JSON.stringify(changed), (replace) => {
        replace();
        record = changed;
      });
    },
  };
}
