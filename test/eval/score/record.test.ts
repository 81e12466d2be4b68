import { expect, test } from 'vitest';
import type { Schema } from './fits.ts';
import { type Expected, isRecordRight, type ShownValue, scoreRecord } from './record.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    people: { type: ['integer', 'null'] },
    ships: { type: ['integer', 'null'] },
    tents: { type: 'integer' },
  },
  required: ['name', 'people', 'ships', 'tents'],
};
const home = '/wiki/tarvel';
const expected: Expected = {
  fields: [
    { pointer: '/name', value: 'Tarvel Works', homes: [home] },
    { pointer: '/people', value: 4512, homes: [home] },
    { pointer: '/ships', value: undefined, homes: [] },
    { pointer: '/tents', value: undefined, homes: [], isForced: true },
  ],
};

const shown = (output: Record<string, unknown>, more: Partial<ShownValue> = {}): ShownValue => {
  const result = JSON.stringify(output);
  const basis = Object.entries(output).map(([key, value]) => {
    const startIndex = result.indexOf(JSON.stringify(value), result.indexOf(`"${key}"`) + key.length + 2);
    const endIndex = startIndex + JSON.stringify(value).length;
    const passage = 'Tarvel Works employs 4,512 people.';
    return {
      pointer: `/${key}`,
      citations: [{ url: `http://site.test${home}`, startIndex, endIndex, passage }],
    };
  });
  return { result, output, basis, ...more };
};
const right = { name: 'Tarvel works', people: 4512, ships: null, tents: 0 };
const score = (output: Record<string, unknown>, more?: Partial<ShownValue>) =>
  scoreRecord(schema, expected, shown(output, more));

test('fields are right by their values, and their sources by what states them', () => {
  expect(score(right)).toEqual({
    isValid: true,
    ...{ fields: 3, fieldsRight: 3, facts: 2, factsSourced: 2, factsQuoted: 2 },
    ...{ gaps: 2, madeUp: 1, known: 2, doubted: 0 },
  });
  expect(score({ ...right, people: 4513 })).toMatchObject({ fieldsRight: 2, facts: 1 });
  expect(score({ ...right, people: null })).toMatchObject({ fieldsRight: 2, facts: 1 });
});

test('a source that does not state the value is wrong, and so are none and a place beside the value', () => {
  const { basis } = shown(right);
  const changed = (citation: object) =>
    basis!.map((entry) => ({ ...entry, citations: [{ ...entry.citations[0]!, ...citation }] }));
  expect(score(right, { basis: changed({ url: 'http://site.test/wiki/other' }) }).factsSourced).toBe(0);
  expect(score(right, { basis: changed({ endIndex: 1 }) }).factsSourced).toBe(0);
  expect(score(right, { basis: [] }).factsSourced).toBe(0);
  expect(score(right, { basis: changed({ passage: 'Nothing.' }) })).toMatchObject({
    factsSourced: 2,
    factsQuoted: 0,
  });
});

test('a value that nothing says is made up, unless the run tells that it is unsupported', () => {
  const made = { ...right, ships: 7 };
  expect(score(made)).toMatchObject({ madeUp: 2, fields: 3, fieldsRight: 2 });
  expect(score(made, { unsupported: ['/ships', '/tents'] })).toMatchObject({ madeUp: 0, fieldsRight: 2 });
});

test('a field that is right, or null, is doubted if the run tells that it is unsupported', () => {
  expect(score({ ...right, people: null }, { unsupported: ['/people'] }).doubted).toBe(1);
  expect(score(right, { unsupported: ['/people'] }).doubted).toBe(1);
  expect(score({ ...right, people: 7 }, { unsupported: ['/people'] }).doubted).toBe(0);
});

test('a value is valid if it fits and is what the result says', () => {
  expect(score({ ...right, people: 'many' }).isValid).toBe(false);
  expect(score(right, { result: '{}' }).isValid).toBe(false);
});

test('rows are compared by what tells them apart, and a row too many counts as wrong', () => {
  const rows: Schema = {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'string' }, n: { type: 'integer' } } },
  };
  const list: Schema = { type: 'object', properties: { rows } };
  const fields = ['a', 'b'].flatMap((id, n) => [
    { pointer: `/rows/${id}/id`, value: id, homes: [] },
    { pointer: `/rows/${id}/n`, value: n, homes: [] },
  ]);
  const wanted: Expected = { fields, rows: { pointer: '/rows', key: 'id' } };
  const answer = (value: object[]) => ({ answer: JSON.stringify({ rows: value }) });
  const isRight = isRecordRight(list, wanted);
  expect(
    isRight(
      answer([
        { id: 'b', n: 1 },
        { id: 'a', n: 0 },
      ]),
    ),
  ).toBe(true);
  expect(
    isRight(
      answer([
        { id: 'b', n: 0 },
        { id: 'a', n: 1 },
      ]),
    ),
  ).toBe(false);
  expect(
    isRight(
      answer([
        { id: 'b', n: 1 },
        { id: 'a', n: 0 },
        { id: 'c', n: 2 },
      ]),
    ),
  ).toBe(false);
  expect(isRight(answer([{ id: 'a', n: 0 }]))).toBe(false);
  const value = {
    rows: [
      { id: 'b', n: 1 },
      { id: 'a', n: 0 },
    ],
  };
  const told = { result: JSON.stringify(value), output: value, unsupported: ['/rows/1/n'] };
  expect(scoreRecord(list, wanted, told)).toMatchObject({ known: 4, doubted: 1 });
  expect(isRight({ answer: 'There are two rows.' })).toBe(false);
});
