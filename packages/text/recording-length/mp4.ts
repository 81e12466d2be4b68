import { findBoxes, readBoxHeader } from './boxes.ts';
import { type RecordingParts, readTail } from './recording-bytes.ts';
import { estimateFromBeginning, estimateFromMost, type ReadLength, type ToldLength } from './told-length.ts';

const mostBoxes = 32;
/** The movie's header, and the first track's. */
const movieBytes = 4_096;

/** The longest duration in the headers of the movie and its tracks. For a fragmented file: the start of the last fragment. */
export const readMp4: ReadLength = async (file) => {
  const movie = await findMovie(file);
  if (!movie) return undefined;
  const scale = readTimes(findBoxes(movie, ['mvhd'])[0])?.unitsPerSecond ?? 0;
  const isFragmented = findBoxes(movie, ['mvex']).length > 0;
  const fragments = findBoxes(movie, ['mvex', 'mehd']).map(
    (box) => readLong(box, 4, (box[0] ?? 0) === 1) / scale,
  );
  const whole = isFragmented
    ? fragments
    : [...findBoxes(movie, ['mvhd']), ...findBoxes(movie, ['trak', 'mdia', 'mdhd'])].map(
        (box) => readTimes(box)?.seconds ?? 0,
      );
  const seconds = Math.max(0, ...whole.filter(Number.isFinite));
  if (seconds > 0) return { seconds, exact: true };
  return isFragmented ? readFragments(file, movie) : undefined;
};

async function findMovie(file: RecordingParts): Promise<Buffer | undefined> {
  let offset = 0;
  for (let count = 0; count < mostBoxes; count++) {
    const box = readBoxHeader(await file.from(offset, 16));
    if (!box || box.bytes < box.headerBytes) return undefined;
    if (box.type === 'moov') {
      const part = await file.from(offset, Math.min(box.bytes, movieBytes));
      return part.subarray(box.headerBytes, Math.min(part.length, box.bytes));
    }
    offset += box.bytes;
  }
  return undefined;
}

/** The fields that `mvhd` and `mdhd` share. A duration of all one bits is unknown. */
function readTimes(box: Buffer | undefined): { unitsPerSecond: number; seconds: number } | undefined {
  const isLong = box?.[0] === 1;
  if (!box || box.length < (isLong ? 32 : 20)) return undefined;
  const unitsPerSecond = box.readUInt32BE(isLong ? 20 : 12);
  const units = readLong(box, isLong ? 24 : 16, isLong);
  const isKnown = unitsPerSecond > 0 && units !== 0xffff_ffff && units < 2 ** 63;
  return { unitsPerSecond, seconds: isKnown ? units / unitsPerSecond : 0 };
}

function readLong(box: Buffer, offset: number, isLong: boolean): number {
  if (box.length < offset + (isLong ? 8 : 4)) return 0;
  return isLong ? Number(box.readBigUInt64BE(offset)) : box.readUInt32BE(offset);
}

async function readFragments(file: RecordingParts, movie: Buffer): Promise<ToldLength | undefined> {
  const { bytes, head } = file;
  if (bytes === undefined) return undefined;
  const scales = readTrackScales(movie);
  const end = await readTail(file);
  const { offset, part } = await readTail(file, indexBytes(end.part));
  const last = findLastFragment(part, scales);
  if (last) {
    const at = offset + last.offset;
    return { seconds: estimateFromMost(last.seconds, at, bytes), exact: false };
  }
  const early = findLastFragment(head, scales);
  return early && estimateFromBeginning(early.seconds, early.offset, bytes);
}

/** The size of the index of fragments, which its own last box gives: it may be larger than the part. */
function indexBytes(tail: Buffer): number {
  const last = tail.subarray(-16);
  return last.toString('latin1', 4, 8) === 'mfro' ? last.readUInt32BE(12) : 0;
}

function readTrackScales(movie: Buffer): Map<number, number> {
  return new Map(
    findBoxes(movie, ['trak']).flatMap((track) => {
      const header = findBoxes(track, ['tkhd'])[0];
      const times = readTimes(findBoxes(track, ['mdia', 'mdhd'])[0]);
      if (!header || header.length < 24 || !times) return [];
      return [[header.readUInt32BE(header[0] === 1 ? 20 : 12), times.unitsPerSecond] as const];
    }),
  );
}

/** The start of the last fragment. Its track stands right before its time. */
function findLastFragment(
  part: Buffer,
  scales: ReadonlyMap<number, number>,
): { seconds: number; offset: number } | undefined {
  for (let offset = part.length; offset > 0; ) {
    offset = part.lastIndexOf('tfdt', offset - 1, 'latin1');
    if (offset < 0) return undefined;
    const track = part.subarray(Math.max(0, offset - 64), offset);
    const name = track.lastIndexOf('tfhd', undefined, 'latin1');
    if (name < 0 || track.length < name + 12) continue;
    const unitsPerSecond = scales.get(track.readUInt32BE(name + 8)) ?? 0;
    const units = readLong(part.subarray(offset + 4), 4, part[offset + 4] === 1);
    if (unitsPerSecond > 0 && units > 0) return { seconds: units / unitsPerSecond, offset };
  }
  return undefined;
}
