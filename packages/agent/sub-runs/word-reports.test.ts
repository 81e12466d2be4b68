import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import type { Source } from '../data.ts';
import type { SubRunEnd } from '../deps.ts';
import { reportOf, reportsAnswer } from './word-reports.ts';

const sourceOf = (number: number): Source => ({ number, kind: 'page', url: `https://example.com/${number}` });

const nothingMet = { outsideSince: undefined, knownValues: [], savedOutside: [] };

const ended = (text: string, numbers: number[] = [], more: Partial<SubRunEnd> = {}): SubRunEnd => ({
  status: 'succeeded',
  text,
  sources: numbers.map(sourceOf),
  guarded: nothingMet,
  used: {
    inputTokens: 1,
    cachedInputTokens: 0,
    outputTokens: 1,
    reasoningTokens: 0,
    audioSeconds: 0,
    completions: 1,
    amountNanoEuro: 1,
  },
  ...more,
});

const room = 100_000;

test('reports cite with the numbers of the run, and a number of no source of a report cites none of the run either', () => {
  const reports = [
    reportOf(
      { question: 'A?', end: ended('Noon [2]. Three [1, 3], in [1999] and [7]. [3, 8]', [1, 2, 3]) },
      room,
    ),
    reportOf({ question: 'B?', end: ended('Six [1].', [1]) }, room),
  ];
  expect(reports.map(({ cited }) => cited.map(({ number }) => number))).toEqual([[1, 2, 3], [1]]);
  const { cited } = reportsAnswer(
    reports,
    reports.flatMap((report) => report.cited),
  );
  expect(cited.text([11, 12, 13, 14])).toBe(
    'Report 1 on: A?\n\nNoon [12]. Three [11][13], in [1999] and (7). [13]\n\n---\n\nReport 2 on: B?\n\nSix [14].',
  );
});

test('a source that got no number any more is not cited', () => {
  const report = reportOf({ question: 'A?', end: ended('Noon [1][2].', [1, 2]) }, room);
  expect(reportsAnswer([report], report.cited).cited.text([0, 5])).toContain('Noon [5].');
});

test('only what is cited in the part of a report that is read is a source', () => {
  const text = `Noon [1]. ${'More. '.repeat(3_000)} Three [2].`;
  const long = reportOf({ question: 'A?', end: ended(text, [1, 2, 3]) }, room);
  expect(long.cited.map(({ number }) => number)).toEqual([1]);
  expect(long.text.length).toBeLessThan(limits.subRunReportCharacters + 100);
  expect(reportOf({ question: 'A?', end: ended(text, [1]) }, 50).text.length).toBeLessThan(150);
});

test.each([
  ['was not started', { problem: 'Too many.' }, 'Error: Too many.'],
  [
    'has failed',
    { end: ended('The sub-run has failed: Cancelled', [], { status: 'failed' }) },
    'Error: The sub-run has failed: Cancelled',
  ],
  ['has taken too long', {}, 'Error: It was not done in time, and was cancelled.'],
])('a question whose sub-run %s has an error for a report', (_, what, told) => {
  expect(reportOf({ question: 'A?', ...what }, room)).toMatchObject({ text: told, cited: [] });
});

test('reports are from outside if one of their sub-runs has read something from outside', () => {
  const inside = reportOf({ question: 'A?', end: ended('Noon.') }, room);
  const outside = reportOf(
    { question: 'B?', end: ended('', [], { status: 'failed', guarded: { ...nothingMet, outsideSince: 0 } }) },
    room,
  );
  expect(reportsAnswer([inside], []).isOutside).toBe(false);
  expect(reportsAnswer([inside, outside], []).isOutside).toBe(true);
});
