import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './errors.ts';

/** One running checksum; `digest` gives its raw bytes. */
export interface RunningChecksum {
  update(data: Uint8Array): void;
  digest(): Buffer;
}

const algorithms = {
  crc32: () => runningCrc(crc32),
  crc32c: () => runningCrc(crc32c),
  sha1: () => createHash('sha1'),
  sha256: () => createHash('sha256'),
} as const satisfies Record<string, () => RunningChecksum>;

export type ChecksumAlgorithm = keyof typeof algorithms;

export const startChecksum = (algorithm: ChecksumAlgorithm): RunningChecksum => algorithms[algorithm]();

const headerPrefix = 'x-amz-checksum-';
/** Headers about checksums that are no checksum themselves. */
const otherHeaders = new Set(['x-amz-checksum-mode', 'x-amz-checksum-algorithm', 'x-amz-checksum-type']);

export const checksumHeader = (algorithm: ChecksumAlgorithm): string => headerPrefix + algorithm;

/** The algorithm that a header's name stands for; undefined if the header is no checksum. */
export function algorithmOfHeader(name: string): ChecksumAlgorithm | undefined {
  if (!name.startsWith(headerPrefix) || otherHeaders.has(name)) return undefined;
  return readAlgorithm(name.slice(headerPrefix.length));
}

export function readAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = name.toLowerCase();
  if (!Object.hasOwn(algorithms, algorithm)) {
    throw new S3Error('NotImplemented', `The checksum algorithm ${name} is not offered here.`);
  }
  return algorithm as ChecksumAlgorithm;
}

function runningCrc(compute: (data: Uint8Array, seed: number) => number): RunningChecksum {
  let value = 0;
  return {
    update(data) {
      value = compute(data, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}

/** Castagnoli's polynomial, bits reversed. */
const castagnoli = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

function crc32c(data: Uint8Array, seed: number): number {
  let value = ~seed;
  for (const byte of data) value = castagnoli[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}
