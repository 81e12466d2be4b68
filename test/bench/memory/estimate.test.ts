import { expect, test } from 'vitest';
import { costAt, leastMemory, neededMegabytes, secondsAt } from './estimate.ts';

const prices = { lambdaGigabyteSecond: 0.0000133334, lambdaRequestsPerMillion: 0.2 };
const work = { waitSeconds: 10, cpuSeconds: 0.1 };

test('CPU takes longer with less memory, and no less time above one vCPU', () => {
  expect(secondsAt(1_769, work)).toBeCloseTo(10.1);
  expect(secondsAt(10_240, work)).toBeCloseTo(10.1);
  expect(secondsAt(176.9, work)).toBeCloseTo(11);
});

test('waiting costs less with less memory, CPU the same', () => {
  const costOf = (megabytes: number, given: typeof work) =>
    costAt(megabytes, secondsAt(megabytes, given), prices) - 0.2 / 1e6;
  expect(costOf(512, { ...work, cpuSeconds: 0 })).toBeCloseTo(4 * costOf(128, { ...work, cpuSeconds: 0 }));
  expect(costOf(512, { ...work, waitSeconds: 0 })).toBeCloseTo(costOf(128, { ...work, waitSeconds: 0 }));
});

test('the least memory is enough to hold the function, to start it in time and to answer in time', () => {
  const peaks = { all: 120, mainThread: 120, threadLimit: 0 };
  const candidate = {
    neededMegabytes: neededMegabytes(peaks),
    coldCpuSeconds: 0.2,
    coldBoundSeconds: 10,
    added: [{ cpuSeconds: 0.02, boundSeconds: 10 }],
  };
  expect(leastMemory(candidate)).toBe(192);
  const withThread = neededMegabytes({ ...peaks, all: 190, threadLimit: 256 });
  expect(leastMemory({ ...candidate, neededMegabytes: withThread })).toBe(512);
  expect(leastMemory({ ...candidate, coldBoundSeconds: 1 })).toBe(384);
  const within = (boundSeconds: number) => [...candidate.added, { cpuSeconds: 0.02, boundSeconds }];
  expect(leastMemory({ ...candidate, added: within(0.05) })).toBe(768);
  expect(leastMemory({ ...candidate, added: within(0.001) })).toBeUndefined();
});
