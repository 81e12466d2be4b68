import { limits, takeRoom } from '@errand/platform';
import type { FetchedResponse } from './fetch.ts';

/** The bytes of a body in memory. */
export interface HeldBytes {
  bytes: Uint8Array;
  /** Gives back the room that a large body takes. To be called when the bytes go elsewhere; more calls do nothing. */
  release(): void;
}

interface Holding {
  owner?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Sees the bytes as soon as they are more than a page has. What it throws ends the reading. */
  onLarge?(begun: Uint8Array): void;
}

/**
 * Reads the whole body. One that is larger than a page takes room first (`takeRoom`), so that the large bodies of a run do
 * not fill a small function. Throws `FetchError`, `too_large` past the `maxBytes` of the fetch.
 */
export async function holdBody(
  { body }: Pick<FetchedResponse, 'body'>,
  { owner, signal, onLarge }: Holding,
): Promise<HeldBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let release = () => {};
  try {
    for await (const chunk of body) {
      const isStillPage = length <= limits.pageBytes;
      chunks.push(chunk);
      length += chunk.byteLength;
      if (!isStillPage || length <= limits.pageBytes) continue;
      onLarge?.(Buffer.concat(chunks));
      release = await takeRoom({ owner, signal });
    }
    return { bytes: Buffer.concat(chunks), release };
  } catch (error) {
    release();
    throw error;
  }
}
