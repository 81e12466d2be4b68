import { limits } from '@errand/platform';
import type { WebDeps } from '../deps.ts';
import { FetchError } from '../failure.ts';
import { type FetchedResponse, guardedFetch } from '../fetch.ts';
import { type HeldBytes, holdBody } from '../hold-body.ts';
import { kindOfFetched, kindOfType } from './content-kind.ts';
import type { FetchedPage } from './page-text.ts';

const fetchLimits = { maxBytes: limits.fetchedDocumentBytes };
const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,*/*;q=0.5';

/** The content of an address. */
interface FetchedMaterial extends FetchedPage, HeldBytes {
  /** True if a reader of documents reads the bytes; else `convertPage` does. */
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
    return Object.assign(await readBytes(deps, response, input.signal), { url, contentType });
  } finally {
    response.discard();
  }
}

/** Reads the body. What is larger than a page is a document, or a text that can be read as one. */
async function readBytes(deps: WebDeps, response: FetchedResponse, signal: AbortSignal | undefined) {
  const { contentType } = response;
  kindOfType(contentType);
  const onLarge = (begun: Uint8Array) => {
    if (kindOfFetched(contentType, begun) === 'html') throw new FetchError('too_large');
  };
  const held = await holdBody(response, { owner: deps.owner, signal, onLarge });
  const isPage =
    kindOfFetched(contentType, held.bytes) !== 'document' && held.bytes.length <= limits.pageBytes;
  return Object.assign(held, { isDocument: !isPage });
}
