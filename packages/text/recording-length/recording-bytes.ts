import { limits } from '@errand/platform';

/** Where a recording can be read. */
export interface RecordingBytes {
  /** The size, if it is known. */
  bytes?: number;
  /** Up to `length` bytes from `offset` on: fewer where the file ends, none where it cannot be read. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The parts of a recording that a reader of its header looks at. */
export interface RecordingParts {
  bytes: number | undefined;
  head: Buffer;
  /**
   * The file from `offset` on, at least `needed` bytes of it unless it ends before. Empty once enough was read, or if it
   * cannot be read there.
   */
  from(offset: number, needed: number): Promise<Buffer>;
}

const nothing = Buffer.alloc(0);

/** Reads the beginning, and bounds all further reads. */
export async function openParts(source: RecordingBytes): Promise<RecordingParts> {
  const { recordingPartBytes, recordingParts } = limits;
  const end = source.bytes ?? Number.POSITIVE_INFINITY;
  const kept: { offset: number; part: Buffer }[] = [];
  const readPart = async (offset: number): Promise<Buffer> => {
    if (kept.length >= recordingParts) return nothing;
    const part = await readQuietly(source, offset, recordingPartBytes);
    kept.push({ offset, part });
    return part;
  };
  return {
    bytes: source.bytes,
    head: await readPart(0),
    async from(wanted, needed) {
      if (!Number.isSafeInteger(wanted) || wanted < 0 || wanted >= end) return nothing;
      const found = kept.find(
        ({ offset, part }) => offset <= wanted && offset + part.length >= Math.min(wanted + needed, end),
      );
      return found ? found.part.subarray(wanted - found.offset) : readPart(wanted);
    },
  };
}

async function readQuietly(source: RecordingBytes, offset: number, length: number): Promise<Buffer> {
  try {
    const { buffer, byteOffset, byteLength } = await source.read(offset, length);
    return Buffer.from(buffer, byteOffset, Math.min(byteLength, length));
  } catch {
    return nothing;
  }
}

/** The end of the file, at most one part of it. Empty if its size is not known. */
export async function readTail({ bytes, from }: RecordingParts, before = 0) {
  const end = (bytes ?? 0) - before;
  const offset = Math.max(0, end - limits.recordingPartBytes);
  const part = end > 0 ? (await from(offset, end - offset)).subarray(0, end - offset) : nothing;
  return { offset, part };
}

/** A recording of which only the beginning is available. */
export const headOnly = (head: Uint8Array, bytes?: number): RecordingBytes => ({
  bytes,
  read: async (offset, length) => head.subarray(offset, offset + length),
});
