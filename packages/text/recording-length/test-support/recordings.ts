import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordingBytes } from '../recording-bytes.ts';

/** A recording that ffmpeg wrote. */
export const fixture = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, '../fixtures', name));

/** A file of these parts that counts how often it is read. */
export function partsOf(...parts: Uint8Array[]): RecordingBytes & { reads(): number } {
  const whole = Buffer.concat(parts);
  let reads = 0;
  return {
    bytes: whole.length,
    async read(offset, length) {
      reads++;
      return whole.subarray(offset, offset + length);
    },
    reads: () => reads,
  };
}

/** A box of an MP4. */
export function boxOf(type: string, content: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), content]);
}

/** A number of ID3: seven bits in each of four bytes. */
export const syncSafe = (value: number): Buffer =>
  Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));
