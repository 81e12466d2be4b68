import type { Reading } from '@errand/passages';
import { limits } from '@errand/platform';
import type { WebDeps } from '../deps.ts';
import { FetchError } from '../failure.ts';
import { guardedFetch, readAll } from '../fetch.ts';
import { documentError, kindOfType } from './content-kind.ts';
import { convertPage, type ReadPage } from './convert-page.ts';
import { accept } from './fetch-material.ts';

const pageLimits = { maxBytes: limits.pageBytes, totalMilliseconds: 30_000 };

/**
 * Reads a web page as markdown, and any other text as it is. Throws only `FetchError`. For a file that is no page,
 * such as a PDF or an image, its code is `not_a_page` and its message names the tool that reads the file.
 */
export async function readPage(
  deps: WebDeps,
  { reading, ...input }: { url: string; signal?: AbortSignal; reading: Reading },
): Promise<ReadPage> {
  const response = await guardedFetch(deps, { ...input, accept, limits: pageLimits });
  try {
    // Refuses a document by its type, before its bytes are fetched.
    if (kindOfType(response.contentType) === 'document') throw documentError();
    const bytes = await readAll(response);
    const { contentType, finalUrl: url } = response;
    return await convertPage(deps, { bytes, contentType, url, reading }, input.signal);
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(input.signal?.aborted ? 'aborted' : 'not_a_page', { cause: error });
  } finally {
    response.discard();
  }
}
