import { fieldIssue, limits } from '@errand/platform';
import { imageNames } from '@errand/text';
import { FetchError, fetchImage, type ImageInput, type WebDeps } from '@errand/web';
import type { NamedImage } from './image-urls.ts';

/**
 * The body with the bytes of each named image in place of its address. Everything else keeps its bytes. Throws
 * `invalid_request` with the place of an image that cannot be had, or the signal's reason.
 */
export async function inlineImages(
  web: WebDeps,
  body: Buffer,
  images: readonly NamedImage[],
  signal: AbortSignal,
): Promise<Buffer> {
  if (images.length === 0) return body;
  const distinct = new Map<string, NamedImage>();
  for (const image of images) if (!distinct.has(image.url)) distinct.set(image.url, image);
  const [...firsts] = distinct.values();
  const surplus = firsts[limits.inlinedImages];
  if (surplus)
    throw fieldIssue(surplus.param, `is one too many: at most ${limits.inlinedImages} images are fetched`);
  const stop = new AbortController();
  try {
    const dataUrls = await fetchAll(web, images, firsts, AbortSignal.any([signal, stop.signal]));
    return replaceAddresses(body, images, dataUrls);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    // The first failure is the answer, so the other images are not needed any more.
    stop.abort();
  }
}

async function fetchAll(
  web: WebDeps,
  images: readonly NamedImage[],
  distinct: readonly NamedImage[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const limitBytes = limits.inlinedImagesBytes;
  // An image that is named twice is sent twice.
  const places = new Map<string, number>();
  for (const { url } of images) places.set(url, (places.get(url) ?? 0) + 1);
  let sum = 0;
  const fetchOne = async ({ url, param }: NamedImage): Promise<[string, string]> => {
    const onBytes = (bytes: number) => {
      sum += bytes * (places.get(url) ?? 1);
      if (sum > limitBytes)
        throw fieldIssue(param, `is too large: all images together may have ${limitBytes} bytes`);
    };
    return [url, await fetchNamed(web, { url, signal, onBytes }, param)];
  };
  return new Map(await Promise.all(distinct.map(fetchOne)));
}

async function fetchNamed(web: WebDeps, input: ImageInput, param: string): Promise<string> {
  try {
    const totalMilliseconds = limits.inlinedImagesMilliseconds;
    const dataUrl = await fetchImage(web, { ...input, limits: { totalMilliseconds } });
    if (dataUrl !== undefined) return dataUrl;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    throw fieldIssue(param, `could not be fetched: ${error.message}`);
  }
  throw fieldIssue(param, `is no ${imageNames} image`);
}

function replaceAddresses(
  body: Buffer,
  images: readonly NamedImage[],
  dataUrls: ReadonlyMap<string, string>,
): Buffer {
  const pieces: Buffer[] = [];
  let end = 0;
  for (const { url, written } of images) {
    const start = written.byteOffset - body.byteOffset;
    pieces.push(body.subarray(end, start), Buffer.from(JSON.stringify(dataUrls.get(url))));
    end = start + written.length;
  }
  return Buffer.concat([...pieces, body.subarray(end)]);
}
