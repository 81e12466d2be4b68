/** The part of a file that is searched for its format and the start of its samples. */
export const wavHeaderBytes = 64 * 1024;

const streamedLength = 0xffff_ffff;

/** The length in seconds that a WAVE file's header gives. Undefined for another format or a broken header. */
export function wavSeconds(head: Buffer, totalBytes: number): number | undefined {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (head.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  for (let offset = 12; offset + 8 <= head.length; ) {
    const name = head.toString('latin1', offset, offset + 4);
    const length = head.readUInt32LE(offset + 4);
    const start = offset + 8;
    if (name === 'fmt ' && start + 12 <= head.length) bytesPerSecond = head.readUInt32LE(start + 8);
    if (name === 'data' && bytesPerSecond > 0)
      return sampleBytes(length, totalBytes - start) / bytesPerSecond;
    offset = start + length + (length % 2);
  }
  return undefined;
}

/** A recorder that streams its file does not know the length, and states 0 or the largest number. */
const sampleBytes = (stated: number, present: number): number =>
  stated === 0 || stated === streamedLength ? present : Math.min(stated, present);
