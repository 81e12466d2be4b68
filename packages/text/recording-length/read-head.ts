import { Readable } from 'node:stream';
import { limits } from '@errand/platform';
import { tagBytes } from './id3-tag.ts';

/** A recording whose first bytes were read, and whose body still begins with them. */
interface PeekedStream {
  head: Buffer;
  /** True if the head is the whole recording. */
  isWhole: boolean;
  body: Readable;
}

/**
 * Reads what `recordingSeconds` needs from the beginning of a stream. The body must be read once or destroyed. An error
 * of the stream is the body's, after the bytes that came before it.
 */
export async function readHead(stream: Readable): Promise<PeekedStream> {
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const kept: Uint8Array[] = [];
  let count = 0;
  let needed: number = limits.recordingPartBytes;
  let next: IteratorResult<Uint8Array> | undefined;
  let failure: { error: unknown } | undefined;
  try {
    while (count < needed) {
      next = await parts.next();
      if (next.done) break;
      kept.push(next.value);
      const wasShort = count < 10;
      count += next.value.length;
      if (wasShort && count >= 10) needed = neededFor(Buffer.concat(kept));
    }
  } catch (error) {
    failure = { error };
  }
  const isWhole = next?.done === true;
  const head = Buffer.concat(kept);
  return { head, isWhole, body: continueStream(kept, parts, failure, stream) };
}

/** Podcasts have a picture at the beginning and the count of frames behind it, so the picture is read past. */
const neededFor = (start: Buffer): number =>
  limits.recordingPartBytes + Math.min(tagBytes(start), limits.recordingTagBytes);

/** A stream that closes its source at once when it is cancelled, even while a read of the source hangs. A generator would wait for the read. */
function continueStream(
  kept: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  failure: { error: unknown } | undefined,
  source: Readable,
): Readable {
  return new Readable({
    read() {
      const part = kept.shift();
      if (part) this.push(part);
      else if (failure) this.destroy(failure.error as Error);
      else
        rest.next().then(
          ({ done, value }) => this.push(done ? null : value),
          (error) => this.destroy(error),
        );
    },
    destroy(error, callback) {
      source.destroy();
      callback(error);
    },
  });
}
