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
  inputTokens: 1_000,
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
  expect(rows[2]).toBe(
    '| table | now | 2 | 50 % of 2 | 50 % of 2 | 67 % of 3 |  |  | 3.0 | 2,000 | 10 | 1.0000 |',
  );
  expect(rows.find((row) => row.startsWith('| hostile'))).toContain('| 1 of 1 |');
  expect(rows.find((row) => row.startsWith('| long-file'))).toContain('| 0 % of 1 |');
});
