import { estimateFromMost, type ReadLength, type ToldLength } from './told-length.ts';

/** The size field's value if the size stands elsewhere in the header, or was unknown when the header was written. */
const unknownSize = 0xffff_ffff;
const mostChunks = 64;
/** The longest header of a chunk that is read. */
const headerBytes = 32;
/** The format codes of PCM, of float, and of the extensible format, which is either. */
const plain: readonly number[] = [1, 3, 0xfffe];
/** Microsoft's and IMA's ADPCM, and GSM 06.10. */
const inBlocks: readonly number[] = [2, 0x11, 0x31];

/** The size of the sound divided by the bytes of a second, bounded by the file's size. */
export const readWav: ReadLength = async (file) => {
  let bytesPerSecond = 0;
  let longSize: number | undefined;
  let offset = 12;
  for (let count = 0; count < mostChunks; count++) {
    const chunk = await file.from(offset, headerBytes);
    if (chunk.length < 8) return undefined;
    const name = chunk.toString('latin1', 0, 4);
    const size = chunk.readUInt32LE(4);
    if (name === 'data') {
      const declared = size === unknownSize || size === 0 ? longSize : size;
      return soundOf(declared, offset + 8, file.bytes, bytesPerSecond);
    }
    if (name === 'fmt ' && chunk.length >= 24) bytesPerSecond = readBytesPerSecond(chunk.subarray(8));
    if (name === 'ds64' && chunk.length >= 24) longSize = Number(chunk.readBigUInt64LE(16)) || undefined;
    offset += 8 + size + (size % 2);
  }
  return undefined;
};

/** The byte rate that decoders use: computed from the size of samples or blocks where the format has one, whatever byte rate the header states. */
function readBytesPerSecond(format: Buffer): number {
  const name = format.readUInt16LE(0);
  const samplesPerSecond = format.readUInt32LE(4);
  const samplesPerBlock = inBlocks.includes(name) && format.length >= 20 ? format.readUInt16LE(18) : 0;
  const sampleBytes =
    samplesPerBlock > 0
      ? format.readUInt16LE(12) / samplesPerBlock
      : plain.includes(name)
        ? format.readUInt16LE(2) * Math.ceil(format.readUInt16LE(14) / 8)
        : 0;
  return samplesPerSecond * sampleBytes || format.readUInt32LE(8);
}

function soundOf(
  declared: number | undefined,
  start: number,
  bytes: number | undefined,
  bytesPerSecond: number,
): ToldLength | undefined {
  const rest = bytes === undefined ? undefined : Math.max(0, bytes - start);
  const size = Math.min(declared ?? Number.POSITIVE_INFINITY, rest ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(size) || bytesPerSecond === 0) return undefined;
  // A few tags may follow the sound. Half of the file may not.
  if (rest !== undefined && size < rest / 2)
    return { seconds: estimateFromMost(size / bytesPerSecond, size, rest), exact: false };
  return { seconds: size / bytesPerSecond, exact: true };
}
