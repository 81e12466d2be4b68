import { limits } from '@errand/platform';
import { imageDataUrl } from '@errand/text';
import type { WebDeps } from './deps.ts';
import { type FetchInput, guardedFetch, readAll } from './fetch.ts';

const accept = 'image/*,*/*;q=0.5';

/** An image, as the data URL that models get in place of its address, and the size of its file. */
export interface FetchedImage {
  dataUrl: string;
  bytes: number;
}

/** Fetches an image. Undefined if the bytes are no image that vision models take. Throws only `FetchError`. */
export async function fetchImage(
  deps: WebDeps,
  input: Pick<FetchInput, 'url' | 'limits' | 'signal'>,
): Promise<FetchedImage | undefined> {
  const response = await guardedFetch(deps, {
    ...input,
    accept,
    limits: { maxBytes: limits.imageBytes, ...input.limits },
  });
  const bytes = await readAll(response);
  const dataUrl = imageDataUrl(bytes);
  return dataUrl === undefined ? undefined : { dataUrl, bytes: bytes.byteLength };
}
