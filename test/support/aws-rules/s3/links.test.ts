import { expect, test } from 'vitest';
import { linkProblems } from './links.ts';

const link = (seconds: number) => ({ query: { 'X-Amz-Expires': String(seconds) } });

test('a link works for a second to seven days', () => {
  expect([1, 604_800].flatMap((seconds) => linkProblems(link(seconds)))).toEqual([]);
  for (const seconds of [0, -1, 0.5, 604_801]) expect(linkProblems(link(seconds))).toHaveLength(1);
});
