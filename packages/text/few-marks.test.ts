import { expect, test } from 'vitest';
import { expectLinear } from '../../test/support/linear-time.ts';
import { withFewMarks } from './few-marks.ts';
import { bare } from './secrets/windows.ts';

const fill = (piece: string) => (characters: number) => `a${piece.repeat(characters / piece.length)}`;

test.each(['\u0301\u0327', '\u0327\u0301', '\u0301\uff9e'])(
  'a letter with any number of marks is normalized, also for the search for secrets, in linear time: %j',
  async (marks) => {
    await expectLinear(fill(marks), (text) => withFewMarks(text).normalize('NFKD'), 50_000);
    await expectLinear(fill(marks), bare, 50_000);
  },
);

test('a text with as many marks as writings have stays as it is', () => {
  const text = `Zoe\u0308 ${'\u0301'.repeat(30)} カ\uff9e`;
  expect(withFewMarks(text)).toBe(text);
});
