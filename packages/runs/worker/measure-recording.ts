import type { RecordingSource } from '@errand/agent';
import type { Recording } from '@errand/models';
import type { Files } from '@errand/platform';
import { headOnly, readHead, recordingSeconds, secondsToReserve } from '@errand/text';
import { extensionOf } from '@errand/uploads';

type Measure = RecordingSource['measure'];

/** How long a recording lasts of which only the beginning can be looked at before it is sent. */
export const measureHosted: Measure = async (recording) => {
  const { head, isWhole, body } = await readHead(recording.body);
  const bytes = isWhole ? head.length : recording.bytes;
  return measured(
    { ...recording, body },
    await recordingSeconds(headOnly(head, bytes), extension(recording)),
  );
};

/** How long a recording in the bucket lasts. */
export const measureStored =
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
