import { limits } from '@errand/platform';
import type { WebDeps } from '../deps.ts';
import { FetchError } from '../failure.ts';
import { type FetchedResponse, guardedFetch } from '../fetch.ts';
import { kindOfFetched, kindOfType } from './content-kind.ts';
import type { FetchedPage } from './page-text.ts';

const fetchLimits = { maxBytes: limits.documentBytes };
export const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,*/*;q=0.5';

/** What an address holds. */
export interface FetchedMaterial extends FetchedPage {
  /** Whether it is for a reader of documents, else for `convertPage`. */
  isDocument: boolean;
}

/**
 * Fetches what is to be read from an address, once, whether it is a page or a document. Throws only `FetchError`: for an
 * image or a recording its code is `not_a_page` and its message names the tool that reads the file.
 */
export async function fetchMaterial(
  deps: WebDeps,
  input: { url: string; signal?: AbortSignal },
): Promise<FetchedMaterial> {
  const response = await guardedFetch(deps, { ...input, accept, limits: fetchLimits });
  const { contentType, finalUrl: url } = response;
  try {
    return { url, contentType, ...(await readBytes(response)) };
  } finally {
    response.discard();
  }
}

/** Reads the body. What is larger than a page is a document, or a text that can be read as one. */
async function readBytes({ body, contentType }: FetchedResponse) {
  kindOfType(contentType);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    const passesLimit = length <= limits.pageBytes && length + chunk.byteLength > limits.pageBytes;
    chunks.push(chunk);
    length += chunk.byteLength;
    if (passesLimit && kindOfFetched(contentType, Buffer.concat(chunks)) === 'html')
      throw new FetchError('too_large');
  }
  const bytes = Buffer.concat(chunks);
  const isPage = kindOfFetched(contentType, bytes) !== 'document' && length <= limits.pageBytes;
  return { bytes, isDocument: !isPage };
}
