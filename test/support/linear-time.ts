import { expect } from 'vitest';

const growth = 8;
/** Where a step is quadratic, eight times the size takes 64 times as long. This is the middle between that and 8. */
const mostTimes = 24;
/** Below this, a time says more of the process than of the work. */
const leastMilliseconds = 10;
const attempts = 5;
/** One run may bear the collection of everybody's garbage, however long it takes. */
const leastAttempts = 3;
const longestMeasurementMilliseconds = 2_000;

/** Processor time of this thread alone: others share the machine. */
async function timeOf(run: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/** The quickest of several runs, since memory is tidied up in some of them; one that is quick enough needs no other. */
async function quickest(run: () => unknown, enoughMilliseconds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const time = await timeOf(run);
    least = Math.min(least, time);
    spent += time;
    if (least <= enoughMilliseconds) break;
    if (attempt + 1 >= leastAttempts && spent > longestMeasurementMilliseconds) break;
  }
  return least;
}

/** Fails unless work on eight times the text takes about eight times as long. The larger text has `characters`. */
export async function expectLinear<Text>(
  make: (length: number) => Text,
  work: (text: Text) => unknown,
  characters = 200_000,
): Promise<void> {
  const small = make(characters / growth);
  const large = make(characters);
  const smallTime = Math.max(leastMilliseconds, await quickest(() => work(small), leastMilliseconds));
  const bound = mostTimes * smallTime;
  expect(await quickest(() => work(large), bound)).toBeLessThan(bound);
}
