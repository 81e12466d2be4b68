import type { Reading } from '@errand/passages';
import { limits, runInThread, ThreadError, type ThreadLimits, threadProgram } from '@errand/platform';
import { FetchError } from '../failure.ts';
import type { FetchedPage, PageOutcome, PageTask, ReadPage } from './page-text.ts';

const pageLimits: ThreadLimits = {
  timeoutMilliseconds: limits.pageConversionMilliseconds,
  memoryMegabytes: limits.pageConversionMegabytes,
  outsideMegabytes: limits.pageOutsideMegabytes,
};
const program = threadProgram(import.meta.url, 'page-worker');

/**
 * Converts a fetched page to markdown and cuts it into passages, in a worker thread, so that no page can stop the
 * process. Any other text is kept as it is. Throws `FetchError`, or the signal's reason.
 */
export async function convertPage(
  deps: { limits?: Partial<ThreadLimits>; owner?: string | undefined },
  page: FetchedPage & { reading: Reading },
  signal?: AbortSignal,
): Promise<ReadPage> {
  const threadLimits = {
    ...pageLimits,
    owner: deps.owner,
    ...deps.limits,
  };
  const { bytes, contentType, url, reading } = page;
  const task: PageTask = { bytes, contentType, url, reading, maxCharacters: limits.pageCharacters };
  const outcome = await runInThread<PageOutcome>(program, task, threadLimits, signal).catch(
    (error: unknown) => {
      throw error instanceof ThreadError ? worded(error, threadLimits) : error;
    },
  );
  if ('page' in outcome) return { url: page.url, ...outcome.page };
  throw new FetchError('not_a_page', outcome);
}

function worded(error: ThreadError, { timeoutMilliseconds }: ThreadLimits): FetchError {
  if (error.code === 'timeout') {
    const seconds = timeoutMilliseconds / 1_000;
    return new FetchError('timeout', {
      reason: `the page could not be turned into text within ${seconds} seconds`,
      cause: error,
    });
  }
  if (error.code === 'memory')
    return new FetchError('too_large', {
      reason: 'the page needs more memory than a page may use',
      cause: error,
    });
  return new FetchError('not_a_page', { cause: error });
}
