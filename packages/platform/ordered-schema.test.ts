import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { issuesOf } from './http/body.ts';
import { parseOrderedJson } from './ordered-json.ts';
import { objectOf, orderedRecord } from './ordered-schema.ts';
import { boundedList } from './schema.ts';

const bounds = { least: 1, most: 3, problem: 'must have 1 to 3 entries' };
const short = v.pipe(
  v.string(),
  v.check((key) => key.length < 20, 'is too long'),
);
const record = orderedRecord(short, objectOf(v.object({ count: v.number('must be a number') })), bounds);

const problemsOf = (schema: v.GenericSchema, value: unknown) =>
  issuesOf(v.safeParse(schema, value).issues ?? []).map(({ field, problem }) => `${field}: ${problem}`);

describe('an ordered record', () => {
  it('keeps the order of keys that look like integers, and keys that every object has', () => {
    const { value } = parseOrderedJson('{"10":{"count":1},"2":{"count":2},"constructor":{"count":3}}');
    expect([...v.parse(record, value)]).toEqual([
      ['10', { count: 1 }],
      ['2', { count: 2 }],
      ['constructor', { count: 3 }],
    ]);
  });

  it('reads a plain object too', () => {
    expect([...v.parse(record, { a: { count: 1 } })]).toEqual([['a', { count: 1 }]]);
  });

  it.each([
    [new Map([['a', { count: 'x' }]]), 'a.count: must be a number'],
    [new Map([['a', new Map([['count', 'x']])]]), 'a.count: must be a number'],
    [new Map([['a', 7]]), 'a: must be an object'],
    [new Map([['a', {}]]), 'a.count: is required'],
    [new Map([['a'.repeat(20), 7]]), `${'a'.repeat(20)}: is too long`],
    [new Map(), ': must have 1 to 3 entries'],
    [
      new Map([
        ['a', 7],
        ['b', 7],
        ['c', 7],
        ['d', 7],
      ]),
      ': must have 1 to 3 entries',
    ],
    [[7], ': must be an object'],
    [null, ': must be an object'],
  ])('tells where %j is wrong, and of too many entries nothing else', (value, problem) => {
    expect(problemsOf(record, value)).toEqual([problem]);
  });
});

it('a bounded list with too many entries reports only their number', () => {
  const list = boundedList(v.number('must be a number'), bounds, 'must be a list');
  expect(problemsOf(list, ['a', 2])).toEqual(['[0]: must be a number']);
  expect(problemsOf(list, ['a', 'b', 'c', 'd'])).toEqual([': must have 1 to 3 entries']);
  expect(problemsOf(list, {})).toEqual([': must be a list']);
  expect(v.parse(list, [1, 2])).toEqual([1, 2]);
});
