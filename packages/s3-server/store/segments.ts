import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeNewFile } from './durable-files.ts';

/** A file of bytes that never changes. An object has one for each part of its upload. */
export interface Segment {
  name: string;
  bytes: number;
}

/** A segment is held by records, uploads and readers, and is removed when the last of them releases it. */
export interface Segments {
  /** The caller holds the new segment. A body that fails leaves nothing. */
  write(body: { bytes: number; chunks: AsyncIterable<Buffer> }): Promise<Segment>;
  hold(segments: readonly Segment[]): void;
  release(segments: readonly Segment[]): Promise<void>;
  /** The bytes from `first` to `last`, both included. The caller must hold the segments until the end. */
  read(segments: readonly Segment[], first: number, last: number): AsyncGenerator<Buffer>;
  /** Removes the segments that nobody holds, which a crash left behind. */
  removeStrays(): Promise<void>;
}

export function openSegments(folder: string): Segments {
  const holders = new Map<string, number>();
  return {
    async write({ bytes, chunks }) {
      const name = randomUUID();
      await writeNewFile(join(folder, name), chunks);
      await syncFolder(folder);
      holders.set(name, 1);
      return { name, bytes };
    },
    hold(segments) {
      for (const { name } of segments) holders.set(name, (holders.get(name) ?? 0) + 1);
    },
    async release(segments) {
      const unused = segments.filter(({ name }) => {
        const rest = (holders.get(name) ?? 1) - 1;
        if (rest > 0) holders.set(name, rest);
        else holders.delete(name);
        return rest <= 0;
      });
      await Promise.all(unused.map(({ name }) => rm(join(folder, name), { force: true })));
    },
    async *read(segments, first, last) {
      let offset = 0;
      for (const { name, bytes } of segments) {
        const start = Math.max(first - offset, 0);
        const end = Math.min(last - offset, bytes - 1);
        if (start <= end) yield* createReadStream(join(folder, name), { start, end });
        offset += bytes;
      }
    },
    async removeStrays() {
      const strays = (await readdir(folder)).filter((name) => !holders.has(name));
      await Promise.all(strays.map((name) => rm(join(folder, name))));
    },
  };
}
