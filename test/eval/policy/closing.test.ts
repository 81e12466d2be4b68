import { expect, test } from 'vitest';
import { readClosing, restOf, withoutWeak } from './closing.ts';

const opening = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Question' },
];
test('an answer that was cut is continued where it stopped', () => {
  const closing = readClosing([
    ...opening,
    { role: 'assistant', content: 'one two ' },
    { role: 'user', content: 'Your answer was cut off. Go on exactly where it stopped.' },
  ])!;
  expect(restOf(closing, 'one two three')).toBe('three');
});

test('a check asks for no continuation', () => {
  const closing = readClosing([
    ...opening,
    { role: 'assistant', content: 'one two ' },
    { role: 'user', content: 'Is your answer complete? If not, give it once more.' },
  ])!;
  expect(restOf(closing, 'one two three')).toBeUndefined();
});

test('a text beside a call of a tool does not count as the answer', () => {
  const call = {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [{ id: '1', function: { name: 'x', arguments: '{}' } }],
  };
  expect(readClosing([...opening, call, { role: 'tool', tool_call_id: '1', content: 'y' }])).toBeUndefined();
});

test('claims that the check names are left out, and sentences that only its passages have are kept', () => {
  const answer = 'A has 3 legs [1]. B has 4 legs [2].';
  const word = 'These are weak:\n- Claim: A has 3 legs\n  The source says: A has 5 legs. B has 4 legs.';
  expect(withoutWeak(answer, word)).toBe('B has 4 legs [2].');
  expect(withoutWeak(answer, 'Is it complete?')).toBe(answer);
});
