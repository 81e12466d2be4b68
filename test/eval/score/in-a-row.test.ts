import { expect, test } from 'vitest';
import type { RunEvent } from '../../support/service.ts';
import { inARow } from './in-a-row.ts';

const subRun = (question: string, status: string) =>
  ({ type: 'sub_run', question, status }) as unknown as RunEvent;

test('of sub-runs that work at the same time only the longest is waited for', () => {
  const conversations = new Map([['What is it? And more.', 4]]);
  for (const [i, made] of [5, 7, 3].entries()) conversations.set(`Part ${i}?`, made);
  const events = [
    ...[subRun('Part 0?', 'queued'), subRun('Part 1?', 'queued')],
    ...[subRun('Part 0?', 'succeeded'), subRun('Part 1?', 'failed')],
    ...[{ id: 0, type: 'step_start' }, subRun('Part 2?', 'queued'), subRun('Part 2?', 'succeeded')],
  ];
  expect(inARow('What is it?', conversations, events)).toEqual({ inARow: 4 + 7 + 3, subRuns: 3 });
  expect(inARow('What is it?', conversations, [])).toEqual({ inARow: 4, subRuns: 0 });
});
