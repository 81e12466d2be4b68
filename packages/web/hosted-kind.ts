import { extname } from 'node:path';
import { imageKindsByExtension } from '@errand/text';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { guardedFetch } from './fetch.ts';
import { mediaTypeOf } from './page/content-kind.ts';

const otherEnding = /\.(pdf|docx?|pptx?|xlsx?|odt|ods|odp|rtf|epub|md|txt|csv|tsv|json|xml)$/i;

const probeLimits = { connectMilliseconds: 5_000, firstByteMilliseconds: 10_000, totalMilliseconds: 15_000 };

/**
 * Whether a URL is an image: by the ending of its path, else by the content type that its host answers with. A host
 * that does not answer is not asked further; whoever reads the document meets its failure. Rejects only when aborted.
 */
export async function looksLikeImage(deps: WebDeps, url: string, signal?: AbortSignal): Promise<boolean> {
  const path = URL.parse(url)?.pathname ?? '';
  if (Object.hasOwn(imageKindsByExtension, extname(path).toLowerCase())) return true;
  if (otherEnding.test(path)) return false;
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
      ...(signal && { signal }),
    });
    response.discard();
    return mediaTypeOf(response.contentType) || undefined;
  } catch (error) {
    if (signal?.aborted || !(error instanceof FetchError)) throw error;
    // Hosts that do not speak HEAD answer it with a status or not at all; an address is refused for GET too.
    return error.code === 'bad_status' || error.code === 'connection' ? undefined : '';
  }
}
