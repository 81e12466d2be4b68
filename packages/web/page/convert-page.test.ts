import { limits, type ThreadLimits } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { describeFetchFailure } from '../failure.ts';
import { wholeReading } from '../test-support/reading.ts';
import { codeOf } from '../test-support/sockets.ts';
import { convertPage } from './convert-page.ts';

const htmlPage = { contentType: 'text/html', url: 'https://example.com/' };

const convert = (text: string, threadLimits: Partial<ThreadLimits> = {}, signal?: AbortSignal) =>
  convertPage(
    { limits: threadLimits },
    { ...htmlPage, bytes: new TextEncoder().encode(text), reading: wholeReading },
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

  it('ends only the thread of a page that needs too much memory', async () => {
    const reading = convert('<'.repeat(2_000_000), { memoryMegabytes: 24 });
    expect(await failureOf(reading)).toBe(
      'Error: Failed to fetch document from URL: the page needs more memory than a page may use',
    );
    expect((await convert('<p>still here')).shown.text).toBe('still here');
  });

  it('ends the thread when its caller stops it', async () => {
    const controllers = Array.from({ length: 3 * limits.simultaneousThreads }, () => new AbortController());
    const readings = controllers.map(({ signal }) => convert('<p>words</p>'.repeat(100_000), {}, signal));
    const outcomes = Promise.allSettled(readings);
    const reason = new Error('left');
    await new Promise((resolve) => setImmediate(resolve));
    for (const controller of controllers) controller.abort(reason);
    expect(await outcomes).toEqual(controllers.map(() => ({ status: 'rejected', reason })));
    expect((await convert('<p>still here')).shown.text).toBe('still here');
  });

  it('keeps all of a text that is as large as a page may be', async () => {
    const text = 'word '.repeat(limits.pageBytes / 5);
    const page = { ...htmlPage, contentType: 'text/plain', bytes: Buffer.from(text), reading: wholeReading };
    const { shown } = await convertPage({}, page);
    expect(shown.text === text).toBe(true);
  });

  it('cuts a page of long addresses after its last allowed character, and says so', async () => {
    const piece = `<p><a href="${'x'.repeat(400)}">y</a></p>`;
    const bytes = Buffer.from(`<base href="https://a.test/${'b'.repeat(900)}/">${piece.repeat(10_000)}`);
    const { shown } = await convertPage({}, { ...htmlPage, bytes, reading: wholeReading });
    expect(shown.characters).toBeLessThanOrEqual(limits.pageCharacters + 100);
    expect(shown.text).toMatch(/\[The page goes on; the rest was not read\.\]$/);
  });
});
