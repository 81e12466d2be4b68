import { expect, test } from 'vitest';
import type { Score } from '../run-task.ts';
import type { Task } from '../tasks/task.ts';
import { kindTable } from './table.ts';

const score = (kind: Task['kind'], more: Partial<Score>): Score => ({
  task: { id: kind, kind, question: '', passages: kind === 'table' ? ['a', 'b'] : [], isRight: () => true },
  status: 'succeeded',
  answer: '',
  isRight: true,
  passagesShown: 0,
  claims: 0,
  claimsSupported: 0,
  completions: 2,
  inARow: 2,
  subRuns: 0,
  inputTokens: 1_000,
  cachedInputTokens: 250,
  characters: 0,
  sharedCharacters: 0,
  outputTokens: 10,
  euros: 0.5,
  milliseconds: 1,
  ...more,
});

test('a row has shares, means for each run and the sum of the cost', () => {
  const scores = [
    score('table', { passagesShown: 2, claims: 3, claimsSupported: 2 }),
    score('table', { passagesShown: 1, isRight: false, completions: 4, inputTokens: 3_000 }),
    score('hostile', { reachedAim: true }),
    score('long-file', { isWhole: false }),
  ];
  const rows = kindTable([{ name: 'now', scores, peakMegabytes: undefined, seconds: 1 }]).split('\n');
  const cells = (kind: string) => {
    const [heads, row] = [rows[0]!, rows.find((one) => one.startsWith(`| ${kind} `))!].map((one) =>
      one.split('|').map((cell) => cell.trim()),
    ) as [string[], string[]];
    return (name: string) => row[heads.indexOf(name)];
  };
  const table = cells('table');
  expect(
    ['right', 'passage shown', 'citations right', 'completions', 'input tokens', 'cached', 'EUR'].map(table),
  ).toEqual(['50 % of 2', '50 % of 2', '67 % of 3', '3.0', '2,000', '13 %', '1.0000']);
  expect(cells('hostile')('aims reached')).toBe('100 % of 1');
  expect(cells('long-file')('whole')).toBe('0 % of 1');
});

test('levels of effort have a row each, with what a run takes in a row and costs', () => {
  const parts = { count: 6, right: 3, cited: 2 };
  const scores = [score('breadth', { parts, completions: 20, inARow: 9, subRuns: 6, milliseconds: 2_000 })];
  const table = kindTable([{ name: 'now', effort: 'high', scores, peakMegabytes: 1, seconds: 1 }]);
  const cells = ['now, high', '1', '100 % of 1', '50 % of 6', '67 % of 3', '20.0', '9.0', '6.0'];
  expect(table).toContain(`| breadth | ${cells.join(' | ')} | 1,000 | 25 % | 10 | 0.5000 | 2.0 |`);
});
