import { describe, expect, test } from 'vitest';
import { convertBytes } from '../../packages/documents/convert-bytes.ts';
import { readHtml } from '../../packages/web/page/article.ts';
import { hostileHtml } from './hostile-html.ts';

const characters = 25_000;
const growth = 8;
/** Where a step is quadratic, eight times the size takes 64 times as long. This is the middle between that and 8. */
const mostTimes = 24;
/** Below this, a time says more of the process than of the work. */
const leastMilliseconds = 5;
const attempts = 5;
const longestMeasurementMilliseconds = 2_000;

/** Processor time of this thread alone: others share the machine. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/** The quickest of several runs, since memory is tidied up in some of them; one that is quick enough needs no other. */
async function quickest(run: () => Promise<unknown>, enoughMilliseconds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const time = await timeOf(run);
    least = Math.min(least, time);
    spent += time;
    if (least <= enoughMilliseconds || spent > longestMeasurementMilliseconds) break;
  }
  return least;
}

async function expectLinear(make: (length: number) => string, convert: (html: string) => Promise<unknown>) {
  const small = make(characters);
  const large = make(characters * growth);
  const smallTime = Math.max(leastMilliseconds, await quickest(() => convert(small), leastMilliseconds));
  const bound = mostTimes * smallTime;
  expect(await quickest(() => convert(large), bound)).toBeLessThan(bound);
}

const asPage = (html: string) => readHtml(html, 'https://example.com/a/page');

const asDocument = (html: string) =>
  convertBytes(Buffer.from(html), '.html', { outputCharacters: 2_000_000 }).catch((error: Error) => {
    // A refusal takes its time too.
    if (error.name !== 'DocumentError') throw error;
  });

describe.each([
  ['a page', asPage],
  ['a document', asDocument],
])('the time in which %s becomes markdown', (_, convert) => {
  test.each(hostileHtml)('grows with the size, not with its square: %s', async (_name, make) => {
    await expectLinear(make, convert);
  });
});
