import { limits, withChanges } from '@errand/platform';
import { imageDataUrl } from '@errand/text';
import type { FetchLimits } from './budget.ts';
import type { WebDeps } from './deps.ts';
import { type FetchInput, guardedFetch } from './fetch.ts';

const accept = 'image/*,*/*;q=0.5';

export interface ImageInput extends Pick<FetchInput, 'url' | 'limits' | 'signal'> {
  /** Called with the size of each piece that arrives, and waited for. What it throws ends the fetch. */
  onBytes?: (bytes: number) => void | Promise<void>;
}

/**
 * Fetches an image, as the data URL that models get in place of its address. Undefined if the bytes are no image that
 * vision models take. Throws only `FetchError`, and what `onBytes` throws.
 */
export async function fetchImage(
  deps: WebDeps,
  { onBytes, limits: own, ...input }: ImageInput,
): Promise<string | undefined> {
  const response = await guardedFetch(deps, {
    ...input,
    accept,
    limits: withChanges<Partial<FetchLimits>>({ maxBytes: limits.imageBytes }, own ?? {}),
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) {
    await onBytes?.(piece.byteLength);
    pieces.push(piece);
  }
  return imageDataUrl(Buffer.concat(pieces));
}
