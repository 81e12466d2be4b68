import { expect, test } from 'vitest';
import { fileExpirations, filePrefixes } from './expirations.ts';
import { limits } from './limits.ts';

const daySeconds = 24 * 60 * 60;

const daysOf = (runDays?: number) =>
  Object.fromEntries(fileExpirations(runDays).map(({ prefix, days }) => [prefix, days]));

test('no object of a run or response expires while the run, the response or a link to its file can be read', () => {
  const days = daysOf();
  expect(Object.keys(days).sort()).toEqual(Object.values(filePrefixes).sort());
  expect(days['uploads/']! * daySeconds).toBeGreaterThanOrEqual(limits.runReadableSeconds);
  expect(days['events/']! * daySeconds).toBeGreaterThan(limits.runReadableSeconds);
  expect(days['saved/']! * daySeconds).toBeGreaterThan(limits.savedFileLinkSeconds);
  expect(days['responses/']! * daySeconds).toBeGreaterThan(limits.responseKeptSeconds);
  for (const whole of Object.values(days)) expect(whole).toBe(Math.trunc(whole));
});

test.each([1, 30, 365])(
  'objects of runs that are kept for %i days expire later by as much, and no others',
  (runDays) => {
    const [usual, longer] = [daysOf(), daysOf(runDays)];
    const later = runDays - 1;
    expect(longer).toEqual({
      ...usual,
      'uploads/': usual['uploads/']! + later,
      'events/': usual['events/']! + later,
      'saved/': usual['saved/']! + later,
    });
  },
);
