import { createHash } from 'node:crypto';
import {
  createSemaphore,
  DomainError,
  describeError,
  type Files,
  type Log,
  limits,
  type MultipartUpload,
} from '@errand/platform';
import { collectBuffers } from './collect-buffers.ts';
import { discard, withStorage } from './storage.ts';

/** The smallest size that S3 accepts for a part that is not the last. */
const partBytes = 5 * 1024 * 1024;

/** What is held of a stream that no buffer was taken for yet. */
const beginningBytes = 256 * 1024;

/** One for the process. Each slot is two buffers of one part. */
const rooms = createSemaphore(limits.filesStoredAtOnce);

interface StreamTarget {
  key: string;
  contentType: string;
  /** The name that `upload_too_large` shows. */
  filename: string;
  limitBytes: number;
  digest: boolean;
  /** The account whose files share the buffers with those of others. */
  owner?: string;
}

interface StoredStream {
  bytes: number;
  sha256?: string;
}

interface StoreDeps {
  files: Files;
  log: Log;
}

/**
 * Stores a stream in the bucket through two buffers of one part each: one fills while the other is sent. A large file waits
 * for them while others have them, and the stream with it. Throws `upload_too_large` at the first byte over the limit,
 * `storage_unavailable`, also after too long a wait, or the stream's own error. A failed or empty stream leaves nothing in
 * the bucket.
 */
export async function storeStream(
  deps: StoreDeps,
  target: StreamTarget,
  source: AsyncIterable<Uint8Array>,
): Promise<StoredStream> {
  const parts = createParts(deps, target);
  const hash = target.digest ? createHash('sha256') : undefined;
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > target.limitBytes) {
        const { filename, limitBytes } = target;
        throw new DomainError('upload_too_large', { filename, limitBytes });
      }
      hash?.update(chunk);
      await parts.write(chunk);
    }
    await parts.end();
  } catch (error) {
    await parts.abort();
    throw error;
  } finally {
    parts.release();
  }
  return { bytes, sha256: hash?.digest('hex') };
}

/** Throws `storage_unavailable` if others keep all of it for too long. */
async function takeRoom({ log }: StoreDeps, owner: string | undefined): Promise<() => void> {
  const signal = AbortSignal.timeout(limits.storingWaitMilliseconds);
  return rooms.take({ signal, owner }).catch(() => {
    log.warn('file not taken in', { filesStoredAtOnce: limits.filesStoredAtOnce });
    throw new DomainError('storage_unavailable');
  });
}

function createParts(deps: StoreDeps, { key, contentType, owner }: StreamTarget) {
  let buffer: Buffer = Buffer.allocUnsafeSlow(beginningBytes);
  let release: (() => void) | undefined;
  let spare: Buffer | undefined;
  let filled = 0;
  let object: MultipartUpload | undefined;
  let sending = Promise.resolve();
  let putting = false;

  async function grow(): Promise<void> {
    release = await takeRoom(deps, owner);
    const whole = Buffer.allocUnsafeSlow(partBytes);
    buffer.copy(whole);
    buffer = whole;
  }

  async function sendFull(): Promise<void> {
    await sending;
    const part = buffer;
    object ??= await withStorage(deps, () => deps.files.startMultipart(key, contentType));
    const { send } = object;
    sending = withStorage(deps, () => send(part));
    sending.catch(() => {});
    buffer = spare ?? Buffer.allocUnsafeSlow(partBytes);
    spare = part;
    filled = 0;
    collectBuffers();
  }

  return {
    async write(chunk: Uint8Array): Promise<void> {
      for (let taken = 0; taken < chunk.byteLength; ) {
        if (filled === buffer.length) await (release ? sendFull() : grow());
        const piece = chunk.subarray(taken, taken + buffer.length - filled);
        buffer.set(piece, filled);
        filled += piece.byteLength;
        taken += piece.byteLength;
      }
    },
    async end(): Promise<void> {
      const last = buffer.subarray(0, filled);
      const whole = object;
      if (whole) {
        await sending;
        await withStorage(deps, async () => {
          await whole.send(last);
          putting = true;
          await whole.complete();
        });
      } else if (filled > 0) {
        putting = true;
        await withStorage(deps, () => deps.files.put(key, last, contentType));
      }
    },
    async abort(): Promise<void> {
      // A part that is still being sent could be stored after the abort.
      await sending.catch(() => {});
      await object
        ?.abort()
        .catch((error: unknown) => deps.log.warn('upload not aborted', describeError(error)));
      // A failed call may still have stored the object.
      if (putting) await discard(deps, key);
    },
    release: () => release?.(),
  };
}
