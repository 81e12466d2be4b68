import { readFlac } from './flac.ts';
import { tagBytes } from './id3-tag.ts';
import { type Frame, readFrame } from './mpeg-frames.ts';
import type { RecordingParts } from './recording-bytes.ts';
import { estimateFromBeginning, estimateFromMost, type ReadLength, type ToldLength } from './told-length.ts';

const mostTags = 4;
/** Enough for the longest frame and the count in it. */
const neededBytes = 16_384;
/** VBRI is always after 32 bytes of the first frame. */
const vbriOffset = 36;

/** Frames of MP3 or AAC, or FLAC, after the tags at their beginning. */
export const readMpegAudio: ReadLength = async (file) => {
  const start = await skipTags(file);
  const part = await file.from(start, neededBytes);
  const soundBytes = file.bytes === undefined ? undefined : file.bytes - start;
  const isFlac = part.toString('latin1', 0, 4) === 'fLaC';
  const told = isFlac ? readFlac(part, soundBytes) : readFrames(part, soundBytes);
  if (!told) return undefined;
  return { ...told, ...(soundBytes !== undefined && { soundBytes }), ...(isFlac && { kind: 'flac' }) };
};

/** Where the tags end, which may hold pictures. */
async function skipTags(file: RecordingParts): Promise<number> {
  let offset = 0;
  for (let count = 0; count < mostTags; count++) {
    const bytes = tagBytes(await file.from(offset, 10));
    if (bytes === 0) break;
    offset += bytes;
  }
  return offset;
}

function readFrames(part: Buffer, soundBytes: number | undefined): ToldLength | undefined {
  const start = findFrame(part);
  const first = start === undefined ? undefined : readFrame(part, start);
  if (start === undefined || !first) return undefined;
  return (
    readCount(part.subarray(start), first, soundBytes) ??
    (soundBytes === undefined ? undefined : estimate(part.subarray(start), soundBytes))
  );
}

/** The first frame that another follows: its first bytes alone occur in other data. */
function findFrame(part: Buffer): number | undefined {
  for (let offset = part.indexOf(0xff); offset >= 0; offset = part.indexOf(0xff, offset + 1)) {
    const frame = readFrame(part, offset);
    const next = frame && offset + frame.bytes;
    if (next !== undefined && (next === part.length || readFrame(part, next))) return offset;
  }
  return undefined;
}

/** The count of frames that an encoder writes into the first one (Xing's and LAME's, or Fraunhofer's). */
function readCount(part: Buffer, first: Frame, soundBytes: number | undefined): ToldLength | undefined {
  const name = part.toString('latin1', first.countOffset, first.countOffset + 4);
  const isXing = name === 'Xing' || name === 'Info';
  const isVbri = part.toString('latin1', vbriOffset, vbriOffset + 4) === 'VBRI';
  if (part.length < 128 || first.bitRate === undefined || !(isXing || isVbri)) return undefined;
  const flags = isXing ? part.readUInt32BE(first.countOffset + 4) : 3;
  const frames = part.readUInt32BE(isXing ? first.countOffset + 8 : vbriOffset + 14);
  if ((flags & 1) === 0 || frames === 0) return undefined;
  const counted =
    (flags & 2) === 0 ? 0 : part.readUInt32BE(isXing ? first.countOffset + 12 : vbriOffset + 10);
  const seconds = (frames * first.samples) / first.samplesPerSecond;
  // Recordings that were joined keep the count of the first.
  if (counted > 0 && soundBytes !== undefined && soundBytes > 2 * counted)
    return { seconds: estimateFromMost(seconds, counted, soundBytes), exact: false };
  return { seconds, exact: true };
}

/** By the beginning, and MP3 at no less than the lowest bit rate that was seen: where there is one, it is that of all. */
function estimate(part: Buffer, soundBytes: number): ToldLength | undefined {
  let seconds = 0;
  let offset = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = readFrame(part, 0); frame; frame = readFrame(part, offset)) {
    seconds += frame.samples / frame.samplesPerSecond;
    offset += frame.bytes;
    lowest = Math.min(lowest, frame.bitRate ?? 0);
  }
  if (offset >= soundBytes) return { seconds, exact: true };
  if (seconds === 0) return undefined;
  const byBeginning = estimateFromBeginning(seconds, offset, soundBytes);
  return { ...byBeginning, seconds: Math.min(byBeginning.seconds, (soundBytes * 8) / lowest) };
}
