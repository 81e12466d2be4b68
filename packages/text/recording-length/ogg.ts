import { readTail } from './recording-bytes.ts';
import { estimateFromBeginning, type ReadLength } from './told-length.ts';

interface Codec {
  samplesPerSecond: number;
  /** Samples at the beginning that decoders skip. */
  skipped: number;
}

interface Sound extends Codec {
  serial: number;
}

const headerBytes = 27;
const noPacketEnds = 0xffff_ffff_ffff_ffffn;
const mostFirstPages = 16;
/** An upper bound of the Ogg pages in one part of a recording. */
const mostTries = 4_096;

/** The position of the last page counts all samples (RFC 3533). */
export const readOgg: ReadLength = async (file) => {
  const sound = findSound(file.head);
  if (!sound || file.bytes === undefined) return undefined;
  const { part } = await readTail(file);
  const last = findLastPosition(part, sound);
  if (last) return { seconds: last.seconds, exact: true };
  const early = findLastPosition(file.head, sound);
  return early && estimateFromBeginning(early.seconds, early.offset, file.bytes);
};

/** Each stream begins with a page of its own, before all others. */
function findSound(head: Buffer): Sound | undefined {
  let offset = 0;
  for (let count = 0; count < mostFirstPages; count++) {
    const page = readPage(head, offset);
    if (!page?.isFirst) return undefined;
    const codec = readCodec(head.subarray(page.start, page.end));
    if (codec && codec.samplesPerSecond > 0) return { serial: page.serial, ...codec };
    offset = page.end;
  }
  return undefined;
}

function readPage(bytes: Buffer, offset: number) {
  if (offset + headerBytes > bytes.length || bytes.toString('latin1', offset, offset + 5) !== 'OggS\0')
    return undefined;
  const segments = bytes.subarray(offset + headerBytes, offset + headerBytes + (bytes[offset + 26] ?? 0));
  const start = offset + headerBytes + segments.length;
  return {
    isFirst: ((bytes[offset + 5] ?? 0) & 2) !== 0,
    position: bytes.readBigUInt64LE(offset + 6),
    serial: bytes.readUInt32LE(offset + 14),
    start,
    end: segments.reduce((sum, size) => sum + size, start),
  };
}

/** The first packet of Opus (RFC 7845), Vorbis, Speex or FLAC. */
function readCodec(packet: Buffer): Codec | undefined {
  const name = packet.toString('latin1', 0, 8);
  if (packet.length >= 19 && name === 'OpusHead')
    return { samplesPerSecond: 48_000, skipped: packet.readUInt16LE(10) };
  if (packet.length >= 30 && name.startsWith('\x01vorbis'))
    return { samplesPerSecond: packet.readUInt32LE(12), skipped: 0 };
  if (packet.length >= 80 && name === 'Speex   ')
    return { samplesPerSecond: packet.readUInt32LE(36), skipped: 0 };
  if (packet.length >= 51 && name.startsWith('\x7fFLAC'))
    return { samplesPerSecond: packet.readUIntBE(27, 3) >> 4, skipped: 0 };
  return undefined;
}

function findLastPosition(
  part: Buffer,
  { serial, samplesPerSecond, skipped }: Sound,
): { seconds: number; offset: number } | undefined {
  let offset = part.length;
  for (let tries = 0; tries < mostTries && offset > 0; tries++) {
    offset = part.lastIndexOf('OggS', offset - 1, 'latin1');
    if (offset < 0) return undefined;
    const page = readPage(part, offset);
    if (page?.serial !== serial || page.position === noPacketEnds) continue;
    const samples = Number(page.position) - skipped;
    if (samples > 0) return { seconds: samples / samplesPerSecond, offset: page.end };
  }
  return undefined;
}
