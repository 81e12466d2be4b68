import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { kinds } from './tasks/task.ts';

test('without options, every kind is asked of this checkout by the policy', () => {
  const { kinds: asked, model, against } = readOptions([]);
  expect({ asked, model, against }).toEqual({
    asked: kinds,
    model: undefined,
    against: undefined,
  });
});

test('kinds keep their order', () => {
  expect(readOptions(['--only', 'table,one-fact']).kinds).toEqual(['one-fact', 'table']);
});

test('levels of effort are measured from the least to the most careful', () => {
  expect(readOptions(['--effort', 'high,low'])).toMatchObject({ efforts: ['low', 'high'] });
});

test.each([
  ['--only', 'tables'],
  ['--effort', 'most'],
  ['--without', 'passages'],
  ['--parallel', '0'],
  ['--fast'],
])('an invalid option is refused with the usage: %s %s', (...args) => {
  expect(() => readOptions(args)).toThrow(/usage: npm run eval/);
});
