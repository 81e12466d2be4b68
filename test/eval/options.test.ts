import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { kinds } from './tasks/task.ts';

test('without options, every kind is asked of this checkout by the policy', () => {
  const { kinds: asked, without, model, against } = readOptions([]);
  expect({ asked, without, model, against }).toEqual({
    asked: kinds,
    without: [],
    model: undefined,
    against: undefined,
  });
});

test('kinds keep their order', () => {
  expect(readOptions(['--only', 'table,one-fact']).kinds).toEqual(['one-fact', 'table']);
});

test.each([['--only', 'tables'], ['--without', 'memory'], ['--parallel', '0'], ['--fast']])(
  'an option that cannot be meant is refused with the usage: %s %s',
  (...args) => {
    expect(() => readOptions(args)).toThrow(/usage: npm run eval/);
  },
);
