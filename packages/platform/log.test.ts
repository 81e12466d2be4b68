import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test("the log has an error's stack frame, but no line of its message", () => {
  const error = new TypeError('it failed\n    at my secret (/question.ts:1:2)');
  const { error: name, frame } = describeError(error);
  expect([name, String(frame)]).toEqual(['TypeError', expect.stringMatching(/^at .*log\.test\.ts/)]);
});

test('text that JSON.parse repeats in its message is not taken for a stack frame', () => {
  let thrown: unknown;
  try {
    JSON.parse('\nat my secret');
  } catch (error) {
    thrown = error;
  }
  expect(JSON.stringify(describeError(thrown))).not.toContain('secr');
});

test('an error without a stack, or a value that is not an error, has no stack frame', () => {
  const bare = Object.assign(new Error('x'), { stack: undefined });
  expect([describeError(bare).frame, describeError('text')]).toEqual([undefined, { error: 'string' }]);
});
