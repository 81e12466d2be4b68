import { limits } from '@errand/platform';
import { readContentKind } from '../kinds/read-content-kind.ts';
import { recordingFormat, recordingKinds } from '../kinds/recording-kinds.ts';
import { bitRates } from './bit-rates.ts';
import { readFlac } from './flac.ts';
import { readMatroska } from './matroska.ts';
import { readMp4 } from './mp4.ts';
import { readMpegAudio } from './mpeg-audio.ts';
import { readOgg } from './ogg.ts';
import { openParts, type RecordingBytes, type RecordingParts } from './recording-bytes.ts';
import type { ReadLength, ToldLength } from './told-length.ts';
import { readWav } from './wav.ts';

interface RecordingLength {
  seconds: number;
  /** False for an estimate, which is rather too long than too short. */
  exact: boolean;
}

type Kind = keyof typeof bitRates;

const readers: Readonly<Record<Kind, ReadLength>> = {
  wav: readWav,
  mp4: readMp4,
  mp3: readMpegAudio,
  ogg: readOgg,
  flac: async ({ head, bytes }) => readFlac(head, bytes),
  matroska: readMatroska,
  unknown: readMpegAudio,
};

/**
 * How long a recording lasts, from its header or, where that says nothing or cannot be true, from its size and the
 * lowest bit rate of its kind. Reads at most `limits.recordingParts` parts of it. Undefined if neither header nor size
 * is known. Never throws. The extension, with its dot, counts where the bytes tell no kind.
 */
export async function recordingSeconds(
  source: RecordingBytes,
  extension: string,
): Promise<RecordingLength | undefined> {
  const file = await openParts(source);
  const kind = kindOf(file.head, extension);
  const told = await readQuietly(readers[kind], file);
  return plausible(told, file.bytes, told?.kind ?? kind);
}

/**
 * The seconds that may be charged for a recording, rounded up. One more than its header says, because speech servers
 * count the padding that encoders add.
 */
export const secondsToReserve = (length: RecordingLength | undefined): number =>
  Math.ceil(length?.seconds ?? longestOf(limits.recordingBytes, 'unknown')) + 1;

function kindOf(head: Buffer, extension: string): Kind {
  const told = readContentKind(head);
  if (Object.hasOwn(recordingKinds, told)) return told as Kind;
  return recordingFormat(extension)?.kinds[0] === 'mp3' ? 'mp3' : 'unknown';
}

async function readQuietly(read: ReadLength, file: RecordingParts): Promise<ToldLength | undefined> {
  try {
    return await read(file);
  } catch {
    return undefined;
  }
}

const longestOf = (bytes: number, kind: Kind): number => (bytes * 8) / bitRates[kind].lowest;

function plausible(
  told: ToldLength | undefined,
  bytes: number | undefined,
  kind: Kind,
): RecordingLength | undefined {
  const seconds = told && Number.isFinite(told.seconds) && told.seconds > 0 ? told.seconds : undefined;
  if (bytes === undefined) return seconds && told ? { seconds, exact: told.exact } : undefined;
  const shortest = ((told?.soundBytes ?? bytes) * 8) / bitRates[kind].highest;
  const longest = longestOf(bytes, kind);
  if (!told || seconds === undefined || seconds < shortest || seconds > longest)
    return { seconds: longest, exact: false };
  return { seconds, exact: told.exact };
}
