import path from 'node:path';
import {
  type RecordingSource,
  type SpeechDeps,
  seeImage,
  type ToolAnswer,
  ToolError,
  transcribeRecording,
  type VisionDeps,
} from '@errand/agent';
import type { Recording } from '@errand/models';
import { type Files, limits, takeLargeImageRoom, takeWaitingRoom } from '@errand/platform';
import {
  headOnly,
  imageDataUrl,
  imageNames,
  readHead,
  recordingSeconds,
  secondsToReserve,
} from '@errand/text';
import { extensionOf } from '@errand/uploads';
import { FetchError, fetchImage, looksLikeImage, type WebDeps } from '@errand/web';
import type { RunInput } from '../store.ts';
import { openHosted } from './hosted-recording.ts';

export interface ReadersDeps extends Omit<VisionDeps, 'calls'>, SpeechDeps {
  web: WebDeps;
  files: Files;
}

/** The readers of images and recordings of one run, for its first step and for the model's own calls. */
export function makeReaders(deps: ReadersDeps, input: RunInput) {
  return {
    isImage: (url: string, signal: AbortSignal): Promise<boolean> => looksLikeImage(deps.web, url, signal),
    async see(imageUrl: string, question: string, signal: AbortSignal): Promise<ToolAnswer> {
      const room = await takeImageRoom({ signal, owner: deps.web.owner });
      try {
        if (isOwnUpload(input, 'image', imageUrl)) {
          const dataUrl = await readUpload(deps, input.uploadKey, { signal, room });
          return await seeImage(deps, { dataUrl, question }, signal);
        }
        const dataUrl = await readHosted(deps.web, imageUrl, { signal, room });
        return { ...(await seeImage(deps, { dataUrl, question }, signal)), isOutside: true };
      } finally {
        room.giveBack();
      }
    },
    transcribe: async (url: string, signal: AbortSignal): Promise<ToolAnswer> =>
      isOwnUpload(input, 'recording', url)
        ? transcribeUpload(deps, input.uploadKey, signal)
        : { ...(await transcribeUrl(deps, url, signal)), isOutside: true },
  };
}

/**
 * Whether the address is the link or the name of the run's own upload. An upload is read from the bucket, since our URL guard may refuse
 * its link.
 */
function isOwnUpload(
  input: RunInput,
  kind: 'image' | 'recording',
  url: string,
): input is RunInput & { uploadKey: string } {
  const { attachment } = input.agent;
  return (
    input.uploadKey !== undefined &&
    attachment?.kind === kind &&
    [attachment.url, attachment.filename].includes(url)
  );
}

/** The room of an image, which is in memory until it is described. */
interface ImageRoom {
  /** Takes more of it once the bytes are many. */
  add(bytes: number): Promise<void>;
  giveBack(): void;
}

async function takeImageRoom(whose: { signal: AbortSignal; owner: string | undefined }): Promise<ImageRoom> {
  const taken = [await takeWaitingRoom(whose)];
  let size = 0;
  return {
    async add(bytes) {
      const wasSmall = size <= limits.largeImageBytes;
      size += bytes;
      if (wasSmall && size > limits.largeImageBytes) taken.push(await takeLargeImageRoom(whose));
    },
    giveBack() {
      for (const giveBack of taken.splice(0)) giveBack();
    },
  };
}

interface Reading {
  signal: AbortSignal;
  room: ImageRoom;
}

async function readUpload(deps: ReadersDeps, key: string, { signal, room }: Reading): Promise<string> {
  const stored = await deps.files.getBytes(key, { signal });
  if (!stored) throw new ToolError('The uploaded image is gone.');
  await room.add(stored.byteLength);
  // Its link to upload outlives the creation of the run, so the file may be another one by now.
  const dataUrl = imageDataUrl(stored);
  if (dataUrl === undefined) throw new ToolError(`The uploaded file is no ${imageNames} image.`);
  return dataUrl;
}

async function readHosted(web: WebDeps, url: string, { signal, room }: Reading): Promise<string> {
  try {
    const dataUrl = await fetchImage(web, { url, signal, onBytes: room.add });
    if (dataUrl !== undefined) return dataUrl;
    throw new ToolError(`The file at this URL is no ${imageNames} image.`);
  } catch (error) {
    throw asToolError(error, 'image');
  }
}

async function transcribeUrl(deps: ReadersDeps, url: string, signal: AbortSignal): Promise<ToolAnswer> {
  const { meter: _, ...uncounted } = deps.web;
  let web = deps.web;
  // A server may refuse a format, and the recording is sent again in another. It counts once against the run's budget.
  const open = () => {
    const current = web;
    web = uncounted;
    return openHosted(current, url, signal);
  };
  try {
    return await transcribeRecording(deps, { open, measure: measureHosted }, signal);
  } catch (error) {
    throw asToolError(error, 'recording');
  }
}

function transcribeUpload(deps: ReadersDeps, key: string, signal: AbortSignal): Promise<ToolAnswer> {
  const open = async () => {
    const stored = await deps.files.open(key, { signal });
    if (!stored) throw new ToolError('The uploaded recording is gone.');
    const { body, bytes, contentType = 'application/octet-stream' } = stored;
    return { body, filename: path.posix.basename(key), contentType, bytes };
  };
  return transcribeRecording(deps, { open, measure: measureStored(deps.files, key, signal) }, signal);
}

const asToolError = (error: unknown, what: string): unknown =>
  error instanceof FetchError ? new ToolError(`Failed to fetch ${what} from URL: ${error.message}`) : error;

type Measure = RecordingSource['measure'];

/** How long a recording lasts of which only the beginning can be looked at before it is sent. */
const measureHosted: Measure = async (recording) => {
  const { head, isWhole, body } = await readHead(recording.body);
  const bytes = isWhole ? head.length : recording.bytes;
  return measured(
    { ...recording, body },
    await recordingSeconds(headOnly(head, bytes), extension(recording)),
  );
};

/** How long a recording in the bucket lasts. */
const measureStored =
  (files: Pick<Files, 'readRange'>, key: string, signal: AbortSignal): Measure =>
  async (recording) => {
    const read = async (offset: number, length: number) =>
      (await files.readRange(key, { offset, length }, { signal })) ?? new Uint8Array();
    const { bytes } = recording;
    const length = await recordingSeconds({ bytes, read }, extension(recording));
    return measured(recording, length);
  };

const extension = ({ filename }: Recording): string => extensionOf(filename);

const measured = (recording: Recording, length: Awaited<ReturnType<typeof recordingSeconds>>) => ({
  recording,
  mostSeconds: secondsToReserve(length),
  seconds: length?.seconds,
});
