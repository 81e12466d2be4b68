import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { listFinished, readRecord, replaceFile, syncFolder } from './durable-files.ts';
import type { ObjectRecord } from './records.ts';
import type { Segments } from './segments.ts';

/** The objects of a bucket. Each record is in memory, and on disk in a file that is named by its key's hash. */
export interface Objects {
  get(key: string): ObjectRecord | undefined;
  /** The keys in S3's order, which is that of their UTF-8 bytes. */
  sortedKeys(): readonly string[];
  /** The record takes over the caller's hold on the segments. If this fails, they are released. */
  put(record: ObjectRecord): Promise<void>;
  /** Ignores keys without an object. */
  delete(keys: readonly string[]): Promise<void>;
}

export async function openObjects(folder: string, segments: Segments): Promise<Objects> {
  const records = new Map<string, ObjectRecord>();
  let sorted: string[] | undefined;
  for (const name of await listFinished(folder)) {
    const record = await readRecord<ObjectRecord>(join(folder, name));
    records.set(record.key, record);
    segments.hold(record.segments);
  }

  return {
    get: (key) => records.get(key),
    sortedKeys() {
      sorted ??= sortByBytes([...records.keys()]);
      return sorted;
    },
    async put(record) {
      let replaced: ObjectRecord | undefined;
      try {
        await replaceFile(recordPath(folder, record.key), JSON.stringify(record), (replace) => {
          const current = records.get(record.key);
          replace();
          if (!current) sorted = undefined;
          records.set(record.key, record);
          replaced = current;
        });
      } catch (error) {
        if (records.get(record.key) !== record) await segments.release(record.segments);
        throw error;
      }
      if (replaced) await segments.release(replaced.segments);
    },
    async delete(keys) {
      const gone = keys.flatMap((key) => {
        const record = records.get(key);
        if (!record) return [];
        unlinkSync(recordPath(folder, key));
        records.delete(key);
        sorted = undefined;
        return [record];
      });
      if (gone.length === 0) return;
      await syncFolder(folder);
      await segments.release(gone.flatMap((record) => record.segments));
    },
  };
}

function recordPath(folder: string, key: string): string {
  return join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
}

function sortByBytes(keys: string[]): string[] {
  return keys
    .map((key) => ({ key, bytes: Buffer.from(key) }))
    .sort((left, right) => Buffer.compare(left.bytes, right.bytes))
    .map(({ key }) => key);
}
