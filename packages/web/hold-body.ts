import { limits, takeRoom, takeWaitingRoom } from '@errand/platform';
import type { FetchedResponse } from './fetch.ts';

/** The bytes of a body in memory. A copy of the object would hold on to bytes that it has given away. */
export interface HeldBytes {
  /** Empty once they were given away. */
  bytes: Uint8Array;
  /** Gives the bytes away, so that they can be freed while what becomes of them is waited for. */
  give(): Uint8Array;
  /** Gives back the room that a large body takes, once its bytes are freed. More calls do nothing. */
  release(): void;
}

interface Holding {
  owner?: string;
  signal?: AbortSignal;
  /** Sees the bytes as soon as they are more than a page has. What it throws ends the reading. */
  onLarge?(begun: Uint8Array): void;
}

/**
 * Reads the whole body. A body that is larger than a page takes room first (`takeRoom`), so that large bodies do not fill the
 * memory of the process; a smaller one does where it will wait for the only thread. Throws `FetchError`, `too_large` past the `maxBytes` of the fetch.
 */
export async function holdBody(
  { body }: Pick<FetchedResponse, 'body'>,
  { owner, signal, onLarge }: Holding,
): Promise<HeldBytes> {
  const chunks: Uint8Array[] = [];
  const taken: (() => void)[] = [];
  const release = () => {
    for (const giveBack of taken.splice(0)) giveBack();
  };
  let length = 0;
  try {
    for await (const chunk of body) {
      const before = length;
      chunks.push(chunk);
      length += chunk.byteLength;
      const passes = (bytes: number) => before <= bytes && length > bytes;
      if (passes(limits.waitingBodyBytes)) taken.push(await takeWaitingRoom({ owner, signal }));
      if (!passes(limits.pageBytes)) continue;
      onLarge?.(Buffer.concat(chunks));
      taken.push(await takeRoom({ owner, signal }));
    }
    return held(Buffer.concat(chunks), release);
  } catch (error) {
    release();
    throw error;
  }
}

function held(bytes: Uint8Array, release: () => void): HeldBytes {
  const body: HeldBytes = {
    bytes,
    give() {
      const given = body.bytes;
      body.bytes = new Uint8Array();
      return given;
    },
    release,
  };
  return body;
}
