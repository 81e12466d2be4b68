import { expect, test } from 'vitest';
import { fileExpirations, filePrefixes } from './expirations.ts';
import { limits } from './limits.ts';

const daySeconds = 24 * 60 * 60;

test('no object of a run or response expires while the run, the response or a link to its file can be read', () => {
  const days = Object.fromEntries(fileExpirations.map(({ prefix, days }) => [prefix, days]));
  expect(Object.keys(days).sort()).toEqual(Object.values(filePrefixes).sort());
  expect(days['uploads/']! * daySeconds).toBeGreaterThanOrEqual(limits.runReadableSeconds);
  expect(days['events/']! * daySeconds).toBeGreaterThan(limits.runReadableSeconds);
  expect(days['saved/']! * daySeconds).toBeGreaterThan(limits.savedFileLinkSeconds);
  expect(days['responses/']! * daySeconds).toBeGreaterThan(limits.responseKeptSeconds);
  for (const whole of Object.values(days)) expect(whole).toBe(Math.trunc(whole));
});
