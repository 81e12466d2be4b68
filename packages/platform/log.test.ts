import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test("an error's frame is in the log, and no line of its message is", () => {
  const error = new TypeError('it failed\n    at my secret (/question.ts:1:2)');
  const { error: name, frame } = describeError(error);
  expect([name, String(frame)]).toEqual(['TypeError', expect.stringMatching(/^at .*log\.test\.ts/)]);
});

test('what JSON.parse repeats of a text is not taken for a frame', () => {
  let thrown: unknown;
  try {
    JSON.parse('\nat my secret');
  } catch (error) {
    thrown = error;
  }
  expect(JSON.stringify(describeError(thrown))).not.toContain('secr');
});

test('an error without a stack, or what is no error, has no frame', () => {
  const bare = Object.assign(new Error('x'), { stack: undefined });
  expect([describeError(bare).frame, describeError('text')]).toEqual([undefined, { error: 'string' }]);
});
