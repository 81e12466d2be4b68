import { limits, type ThreadLimits } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { describeFetchFailure } from '../failure.ts';
import { codeOf } from '../test-support/sockets.ts';
import { convertPage } from './convert-page.ts';

const convert = (text: string, threadLimits: Partial<ThreadLimits> = {}, signal?: AbortSignal) =>
  convertPage(
    { limits: threadLimits },
    { bytes: new TextEncoder().encode(text), contentType: 'text/html', url: 'https://example.com/' },
    signal,
  );

const failureOf = (reading: Promise<unknown>) => reading.then(String, describeFetchFailure);

describe('convertPage', () => {
  it('ends a page whose time is over, and says so', async () => {
    expect(await failureOf(convert('<p>words', { timeoutMilliseconds: 1 }))).toBe(
      'Error: Failed to fetch document from URL: the page could not be turned into text within 0.001 seconds',
    );
    expect(await codeOf(convert('<p>words', { timeoutMilliseconds: 1 }))).toBe('timeout');
  });

  it('ends the thread of a page that needs too much memory, and no more than that', async () => {
    const reading = convert('<'.repeat(2_000_000), { memoryMegabytes: 24 });
    expect(await failureOf(reading)).toBe(
      'Error: Failed to fetch document from URL: the page needs more memory than a page may use',
    );
    expect((await convert('<p>still here')).markdown).toBe('still here');
  });

  it('ends the thread when its caller stops it', async () => {
    const controllers = Array.from({ length: 3 * limits.simultaneousThreads }, () => new AbortController());
    const readings = controllers.map(({ signal }) => convert('<p>words</p>'.repeat(100_000), {}, signal));
    const outcomes = Promise.allSettled(readings);
    const reason = new Error('left');
    await new Promise((resolve) => setImmediate(resolve));
    for (const controller of controllers) controller.abort(reason);
    expect(await outcomes).toEqual(controllers.map(() => ({ status: 'rejected', reason })));
    expect((await convert('<p>still here')).markdown).toBe('still here');
  });

  it.each([
    ['a page', 'text/html', '<p>word</p>'],
    ['a page of long addresses', 'text/html', `<p><a href="/${'x'.repeat(1_900)}">y</a></p>`],
    ['a text', 'text/plain', 'word '],
  ])('cuts %s after its last allowed character, and says so', async (_, contentType, piece) => {
    const bytes = Buffer.from(piece.repeat(limits.pageBytes / piece.length));
    const { markdown } = await convertPage({}, { bytes, contentType, url: 'https://example.com/' });
    expect(markdown.length).toBeLessThanOrEqual(limits.pageCharacters + 100);
    expect(markdown).toMatch(/\[The page goes on; the rest was not read\.\]$/);
  });
});
