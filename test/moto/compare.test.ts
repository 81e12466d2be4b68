import { expect, test } from 'vitest';
import { compare, type Result } from './compare.ts';

const differences = [{ file: 'a.test.ts', tests: ['moto cannot'], reason: 'lacks it' }];
const result = (name: string, state: Result['state'], file = 'a.test.ts'): Result => ({ file, name, state });

test('a failure counts as known only in the file and under the name that the list says', () => {
  const [known, elsewhere, other] = [
    result('moto cannot', 'failed'),
    result('moto cannot', 'failed', 'b.test.ts'),
    result('something else', 'failed'),
  ] as const;
  const found = compare([known, elsewhere, other, result('fine', 'passed')], differences);
  expect(found).toEqual({
    passed: 1,
    known: [{ result: known, reason: 'lacks it' }],
    unknown: [elsewhere, other],
    outdated: [],
  });
});

test('a listed test that passes is reported, unless it is listed as failing only sometimes; a test that did not run is not reported', () => {
  const passed = result('moto cannot', 'passed');
  expect(compare([passed], differences).outdated).toEqual([passed]);
  const sometimes = differences.map((difference) => ({ ...difference, sometimes: true as const }));
  expect(compare([passed], sometimes)).toMatchObject({ passed: 1, outdated: [] });
  expect(compare([result('moto cannot', 'skipped')], differences).outdated).toEqual([]);
  expect(compare([], differences).outdated).toEqual([]);
});
