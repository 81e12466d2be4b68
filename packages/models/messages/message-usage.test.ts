import { expect, test } from 'vitest';
import { addMessageUsage, toChatUsage } from './message-usage.ts';

const begun = { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 1 };
const told = (...reports: unknown[]) => {
  let counts = {};
  for (const report of reports) counts = addMessageUsage(counts, report);
  const usage = toChatUsage(counts);
  return [usage?.prompt_tokens, usage?.completion_tokens];
};

const reports: [string, unknown[], [number | undefined, number | undefined]][] = [
  ['all counts', [{ ...begun, output_tokens: 300 }], [100, 300]],
  ['output alone', [{ output_tokens: 300 }], [100, 300]],
  ['less input', [{ input_tokens: 30, output_tokens: 300 }], [70, 300]],
  ['more input', [{ input_tokens: 90, output_tokens: 300 }], [130, 300]],
  ['output twice', [{ output_tokens: 120 }, { output_tokens: 300 }], [100, 300]],
  ...[0, null, undefined, -1, 7.5, 1e15, '60', [60]].map((none): [string, unknown[], [number, number]] => [
    `input of ${JSON.stringify(none)}`,
    [{ input_tokens: none, cache_read_input_tokens: none, output_tokens: 300 }],
    [100, 300],
  ]),
  ...[0, null, undefined, -1, 7.5, 1e15, '60', [60]].map((none): [string, unknown[], [number, undefined]] => [
    `output of ${JSON.stringify(none)}`,
    [{ output_tokens: none }],
    [100, undefined],
  ]),
  ['output of 0 twice', [{ output_tokens: 0 }, { output_tokens: 0 }], [100, undefined]],
  ['output of 0, and then more', [{ output_tokens: 0 }, { output_tokens: 300 }], [100, 300]],
];

test.each(reports)('a message that has begun, and then reports %s', (_, later, expected) => {
  expect(told(begun, ...later)).toEqual(expected);
});

test('a message that begins with an output of 0 has written nothing so far', () => {
  expect(told({ ...begun, output_tokens: 0 })).toEqual([100, 0]);
});
