import { extname } from 'node:path';
import { contentKinds, documentFacts, imageKindsByExtension, textDocuments } from '@errand/text';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { guardedFetch } from './fetch.ts';
import { mediaTypeOf } from './page/content-kind.ts';

/** Extensions that show that a URL is no image. `.html` and its like are missing, because hosts give them to any content. */
const otherExtensions: readonly string[] = [
  ...documentFacts.flatMap(([, { extensions }]) => extensions),
  ...contentKinds.oldOffice.extensions,
  ...Object.keys(textDocuments).filter((extension) => textDocuments[extension]?.form !== 'page'),
];

const probeLimits = { connectMilliseconds: 5_000, firstByteMilliseconds: 10_000, totalMilliseconds: 15_000 };

/**
 * Whether a URL is an image: by the extension in its path, else by the content type that its host sends. False if the
 * host does not answer; reading the document will show why. Rejects only when aborted.
 */
export async function looksLikeImage(deps: WebDeps, url: string, signal?: AbortSignal): Promise<boolean> {
  const path = (URL.parse(url)?.pathname ?? '').toLowerCase();
  if (Object.hasOwn(imageKindsByExtension, extname(path))) return true;
  if (otherExtensions.some((extension) => path.endsWith(extension))) return false;
  const type = (await askType(deps, url, 'HEAD', signal)) ?? (await askType(deps, url, 'GET', signal)) ?? '';
  return type.startsWith('image/') && type !== 'image/svg+xml';
}

async function askType(
  deps: WebDeps,
  url: string,
  method: 'HEAD' | 'GET',
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const response = await guardedFetch(deps, {
      url,
      method,
      limits: probeLimits,
      signal,
    });
    response.discard();
    return mediaTypeOf(response.contentType) || undefined;
  } catch (error) {
    if (signal?.aborted || !(error instanceof FetchError)) throw error;
    // Hosts without HEAD answer with a status or close the connection. Only then is a GET worth a try.
    return error.code === 'bad_status' || error.code === 'connection' ? undefined : '';
  }
}
