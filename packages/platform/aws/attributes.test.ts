import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  assert,
  bigInt,
  boolean,
  constant,
  dictionary,
  double,
  letrec,
  maxSafeInteger,
  oneof,
  property,
  string,
  uint8Array,
  uniqueArray,
} from 'fast-check';
import { expect, test } from 'vitest';
import { type Attributes, fromAttributes, type Item, toAttributes } from './attributes.ts';

const numbers = oneof(maxSafeInteger(), double({ noNaN: true, min: -1e15, max: 1e15 }));

const name = string().filter((text) => text !== '__proto__');

const { item } = letrec<{ value: unknown; item: Item }>((tie) => ({
  value: oneof(
    { maxDepth: 3 },
    string(),
    numbers,
    bigInt({ min: 2n ** 60n, max: 2n ** 70n }),
    boolean(),
    constant(null),
    constant(undefined),
    uint8Array(),
    uniqueArray(string(), { minLength: 1 }).map((texts) => new Set(texts)),
    uniqueArray(numbers, { minLength: 1 }).map((all) => new Set(all)),
    uniqueArray(tie('value')),
    tie('item'),
  ),
  item: dictionary(name, tie('value')),
}));

/** Bytes that are to be written know how JSON has them. */
const plainBytes = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(plainBytes);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainBytes(each)]));
};

test('attributes are those of the library, to the store and back, also when they went over the wire', () => {
  assert(
    property(item, (kept) => {
      const attributes = toAttributes(kept);
      const library = marshall(kept, { removeUndefinedValues: true });
      expect(plainBytes(attributes)).toEqual(library);
      const read = unmarshall(library);
      expect(fromAttributes(JSON.parse(JSON.stringify(attributes)))).toEqual(read);
      expect(fromAttributes(library)).toEqual(read);
    }),
  );
});

test.each([
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 60,
  new Date(0),
  new Map(),
  new Set(),
  new Set([true]),
  new Set(['a', 1]),
  () => 1,
  Symbol('a'),
])('a value that the store could not give back as it is, is refused: %o', (value) => {
  expect(() => toAttributes({ value })).toThrow('an attribute that is');
});

test('an attribute named __proto__ is not written, and not read into the prototype', () => {
  const named = JSON.parse('{"__proto__":{"M":{"isAdmin":{"BOOL":true}}},"a":{"S":"b"}}') as Attributes;
  expect(() => toAttributes(named)).toThrow('an attribute named __proto__');
  const item = fromAttributes(named);
  expect([item, item.isAdmin]).toEqual([{ a: 'b' }, undefined]);
});

test('an attribute of a type that nobody knows is an error', () => {
  expect(() => fromAttributes({ value: { X: 'a' } as never })).toThrow('unknown type: X');
});
