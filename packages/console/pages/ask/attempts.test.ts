import { expect, test } from 'vitest';
import { createAttempts } from './attempts.ts';

const file = new File(['text'], 'a.txt');

test('the same question and file have one key until the run was started', () => {
  const attempts = createAttempts();
  const key = attempts.keyOf({ question: 'Why?' }, file);
  expect(attempts.keyOf({ question: 'Why?' }, file)).toBe(key);
  attempts.end();
  expect(attempts.keyOf({ question: 'Why?' }, file)).not.toBe(key);
});

test.each([
  ['question', { question: 'How?' }, file],
  ['file', { question: 'Why?' }, new File(['text'], 'a.txt')],
  ['cap', { question: 'Why?', maxCredits: '1' }, file],
])('another %s has another key', (_, input, other) => {
  const attempts = createAttempts();
  const key = attempts.keyOf({ question: 'Why?' }, file);
  expect(attempts.keyOf(input, other)).not.toBe(key);
});
