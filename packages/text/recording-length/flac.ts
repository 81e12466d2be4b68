import type { ToldLength } from './told-length.ts';

/** Speech in FLAC takes a third of its raw bits or more. Pauses take fewer. */
const mostCompression = 8;

/** STREAMINFO comes first (RFC 9639, 8.2). The count of samples is 0 where it was not known. */
export function readFlac(part: Buffer, soundBytes: number | undefined): ToldLength | undefined {
  if (part.length < 26) return undefined;
  const info = part.subarray(8);
  const packed = info.readBigUInt64BE(10);
  const rate = Number(packed >> 44n);
  const channels = Number((packed >> 41n) & 7n) + 1;
  const bits = Number((packed >> 36n) & 31n) + 1;
  const samples = Number(packed & 0xf_ffff_ffffn);
  if (rate === 0) return undefined;
  if (samples > 0) return { seconds: samples / rate, exact: true };
  if (soundBytes === undefined) return undefined;
  return { seconds: (soundBytes * 8 * mostCompression) / (rate * channels * bits), exact: false };
}
