import { expect, test } from 'vitest';
import { createLog, describeError } from './log.ts';

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

test('a line of the log has no character that a terminal would obey, and says the same', () => {
  const lines: string[] = [];
  const error = 'a\u001b[2J\u009bb\u202ec\u2028d\ne';
  createLog((line) => lines.push(line)).warn('told', { error });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
  expect(JSON.parse(lines[0]!)).toMatchObject({ message: 'told', error });
});
