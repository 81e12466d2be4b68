import { limits } from '@errand/platform';
import type { WebDeps } from '../deps.ts';
import { FetchError } from '../failure.ts';
import { guardedFetch, readAll } from '../fetch.ts';
import type { ReadDocument } from './article.ts';
import { kindOfType } from './content-kind.ts';
import { convertPage } from './convert-page.ts';

const pageLimits = { maxBytes: limits.pageBytes, totalMilliseconds: 30_000 };

const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,*/*;q=0.5';

/**
 * Reads a web page as markdown, and any other text as it is. Throws only `FetchError`. For a file that is no page,
 * such as a PDF or an image, its code is `not_a_page` and its message names the tool that reads the file.
 */
export async function readPage(
  deps: WebDeps,
  input: { url: string; signal?: AbortSignal },
): Promise<ReadDocument & { url: string }> {
  const response = await guardedFetch(deps, { ...input, accept, limits: pageLimits });
  try {
    // Refuses a document by its type, before its bytes are fetched.
    kindOfType(response.contentType);
    const bytes = await readAll(response);
    const { contentType, finalUrl: url } = response;
    return { url, ...(await convertPage(deps, { bytes, contentType, url }, input.signal)) };
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(input.signal?.aborted ? 'aborted' : 'not_a_page', { cause: error });
  } finally {
    response.discard();
  }
}
