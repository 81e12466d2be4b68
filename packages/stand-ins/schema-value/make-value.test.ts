import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from './formats.ts';
import { isAccepted, makeValue } from './make-value.ts';
import { UnmadeValue } from './schema.ts';

const ajv = new Ajv2020({ strict: false, ownProperties: true });
addFormats.default(ajv);

const make = (schema: object): unknown => JSON.parse(JSON.stringify(makeValue(schema)));

function expectValid(schema: object): void {
  const made = make(schema);
  const isValid = ajv.validate(schema, made);
  expect(isValid, `${JSON.stringify(made)} ${ajv.errorsText()}`).toBe(true);
}

const small = fc.integer({ min: 0, max: 4 });
const number = fc.integer({ min: -20, max: 20 });
const constant = fc.oneof(fc.string({ maxLength: 5 }), number, fc.boolean(), fc.constant(null));
const range = (least: string, most: string, from: fc.Arbitrary<number>) =>
  fc.tuple(from, small).map(([low, more]) => ({ [least]: low, [most]: low + more }));
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'constructor', 'ü/~'), { maxLength: 4 });

const pattern = fc.constantFrom(
  ...[
    '^[A-Z]{3}-\\d{4}$',
    'tea|coffee',
    '^\\p{Lu}+$',
    '^(?:ab|[^a-z])+?$',
    '[.]',
    '^(\\+\\d{1,3} )?\\d+$',
    '^$|x\\/y',
  ],
);

/** Schemas that something fulfils: limits are in order, and nothing contradicts anything else. */
const { satisfiable } = fc.letrec<{
  satisfiable: object;
  leaf: object;
  list: object;
  record: object;
  choice: object;
}>((tie) => ({
  leaf: fc.oneof(
    range('minLength', 'maxLength', small).map((limits) => ({ type: 'string', ...limits })),
    pattern.map((each) => ({ type: 'string', pattern: each })),
    fc.constantFrom(...Object.keys(formats)).map((format) => ({ type: 'string', format })),
    range('minimum', 'maximum', number).map((limits) => ({ type: 'integer', ...limits })),
    number.map((exclusiveMinimum) => ({ type: 'number', exclusiveMinimum, maximum: exclusiveMinimum + 0.5 })),
    fc.tuple(number, fc.constantFrom(2, 3, 0.5)).map(([minimum, multipleOf]) => ({
      type: ['null', 'number'],
      minimum,
      multipleOf,
    })),
    fc.array(constant, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values, default: 'x' })),
    constant.map((value) => ({ const: value })),
    constant.map((value) => ({ type: 'string', default: value, examples: [value, 'y'] })),
    fc.constantFrom({ type: 'boolean' }, { type: 'null' }, {}, { not: { type: 'string' } }),
  ),
  list: fc.oneof(
    fc.tuple(tie('satisfiable'), small).map(([items, minItems]) => ({ type: 'array', items, minItems })),
    small.map((minItems) => ({
      type: 'array',
      uniqueItems: true,
      minItems,
      items: { type: ['integer', 'string'] },
    })),
    fc.tuple(tie('satisfiable'), tie('satisfiable')).map((prefixItems) => ({
      type: 'array',
      prefixItems,
      items: false,
      minItems: 2,
    })),
    fc
      .tuple(tie('satisfiable'), small)
      .map(([contains, minContains]) => ({ type: 'array', contains, minContains })),
  ),
  record: fc
    .tuple(names, fc.array(tie('satisfiable'), { maxLength: 4 }), fc.boolean(), small)
    .map(([required, schemas, isClosed, minProperties]) => ({
      type: 'object',
      properties: Object.fromEntries(required.map((name, index) => [name, schemas[index] ?? {}])),
      required,
      ...(isClosed ? { additionalProperties: false } : { minProperties }),
    })),
  choice: fc.oneof(
    fc.array(tie('satisfiable'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('satisfiable'), tie('satisfiable')).map(([one, other]) => ({
      oneOf: [one, other].map((inner, index) => ({
        type: 'object',
        properties: { kind: { const: index }, inner },
        required: ['kind', 'inner'],
      })),
    })),
    tie('satisfiable').map((inner) => ({ allOf: [inner, {}, inner] })),
    tie('satisfiable').map((inner) => ({
      if: { type: 'string' },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { minLength: 1 },
      else: {},
      allOf: [inner],
    })),
  ),
  satisfiable: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('record'), tie('choice')),
}));

describe('a made value', () => {
  test('fits whatever schema can be fulfilled', () => {
    // An `if` narrows what it stands beside, so that a schema with one may ask for the impossible.
    const plain = satisfiable.filter((schema) => !JSON.stringify(schema).includes('"if"'));
    fc.assert(fc.property(plain, expectValid), { numRuns: 500 });
  });

  test('fits, or there is none, where schemas contradict each other', () => {
    const clash = fc.array(satisfiable, { minLength: 2, maxLength: 3 }).map((allOf) => ({ allOf }));
    fc.assert(
      fc.property(fc.oneof(clash, satisfiable), (schema) => {
        try {
          expectValid(schema);
        } catch (error) {
          if (!(error instanceof UnmadeValue)) throw error;
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is accepted here if and only if it is valid', () => {
    fc.assert(
      fc.property(satisfiable, fc.oneof(fc.jsonValue({ maxDepth: 2 }), constant), (schema, value) => {
        // Formats are compared where they are listed: other checkers draw their lines elsewhere.
        fc.pre(!JSON.stringify(schema).includes('"format"'));
        const given = JSON.parse(JSON.stringify(value));
        // Ajv takes no number beyond 1e21 for a multiple of anything.
        fc.pre(!/\de\+/.test(JSON.stringify(given)));
        expect(isAccepted(schema, given)).toBe(ajv.validate(schema, given));
      }),
      { numRuns: 500 },
    );
  });

  test.each(Object.keys(formats))('of the format %s is one of 40 that all fit', (format) => {
    const schema = { type: 'array', items: { type: 'string', format }, minItems: 40, uniqueItems: true };
    expectValid(schema);
  });

  test.each([
    ['says that it is a stand-in', { type: 'string' }, 'stand-in'],
    ['keeps to a length', { type: 'string', minLength: 12, maxLength: 12 }, 'stand-in sta'],
    ['is the default before an example', { type: 'string', default: 'tea', examples: ['milk'] }, 'tea'],
    [
      'is an example where the default does not fit',
      { type: 'string', default: 1, examples: ['milk'] },
      'milk',
    ],
    [
      'is the default where its pattern cannot be read',
      { type: 'string', pattern: '^(?=x)x1$', default: 'x1' },
      'x1',
    ],
    ['is null only where nothing else is asked for', { type: ['null', 'string'] }, 'stand-in'],
    ['is an empty list where nothing is asked for', { type: 'array', items: { type: 'string' } }, []],
    [
      'has required members alone',
      { type: 'object', properties: { a: {}, b: {} }, required: ['b'] },
      { b: 'stand-in' },
    ],
    [
      'takes a null for an answer of OpenAPI',
      { type: 'object', nullable: true, required: ['a'], properties: { a: false } },
      null,
    ],
  ])('%s', (_what, schema, value) => {
    expect(make(schema)).toEqual(value);
  });
});

describe('recursion', () => {
  const tree = {
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
          children: { type: 'array', items: { $ref: '#' } },
        },
        required: ['name', 'next', 'children'],
        additionalProperties: false,
      },
    },
    $ref: '#/$defs/node',
  };

  test('ends as soon as it can', () => {
    expect(make(tree)).toEqual({ name: 'stand-in', next: null, children: [] });
  });

  test.each([
    ['a member', { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] }],
    ['a reference', { $ref: '#' }],
  ])('without an end in %s is refused', (_where, schema) => {
    expect(() => make(schema)).toThrow(UnmadeValue);
  });
});

const chain = (link: (next: object) => object) => ({
  $defs: Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `n${index}`,
      index === 59 ? { type: 'string' } : link({ $ref: `#/$defs/n${index + 1}` }),
    ]),
  ),
  $ref: '#/$defs/n0',
});

const nested = (levels: number, wrap: (inner: object) => object) => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
};

describe('a hostile schema is refused within seconds, with the reason', () => {
  test.each([
    ['allOf that doubles', chain((next) => ({ allOf: [next, next] })), /too large/],
    [
      'anyOf that doubles',
      { allOf: [chain((next) => ({ anyOf: [next, next] })), { type: 'null' }] },
      /leads nowhere/,
    ],
    [
      'members that double',
      chain((next) => ({ type: 'object', properties: { a: next, b: next }, required: ['a', 'b'] })),
      /nested/,
    ],
    ['lists of lists of lists', nested(4, (items) => ({ type: 'array', items, minItems: 400 })), /too large/],
    ['a long list', { type: 'array', minItems: 1e9 }, /more than 500 items/],
    ['a long text', { type: 'string', minLength: 1e9 }, /minLength/],
    ['many members', { type: 'object', minProperties: 1e9 }, /more than 500 properties/],
    ['deep lists', nested(500, (items) => ({ type: 'array', items, minItems: 1 })), /nested/],
    ['deep allOf', nested(500, (inner) => ({ allOf: [inner] })), /without an end|too large/],
    [
      'a slow pattern',
      { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(50)}!` },
      /takes too long/,
    ],
    [
      'a pattern that grows',
      { type: 'string', pattern: '(((a{9999}){9999}){9999})b' },
      /takes too long|no value/,
    ],
    [
      'distinct items that run out',
      { type: 'array', uniqueItems: true, minItems: 12, items: { enum: [...'abcdefghijk'] } },
      /too large/,
    ],
    [
      'a pattern that looks ahead',
      { type: 'string', pattern: '^(?=x)y$' },
      /no value was found for \$: .*\^\(\?=x\)y\$/,
    ],
    ['a pattern that is none', { type: 'string', pattern: '[' }, /no regular expression/],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, /cannot follow the \$ref/],
    ['a reference to nothing', { $ref: '#/$defs/none' }, /leads nowhere/],
    ['an unknown keyword', { type: 'object', unevaluatedProperties: false }, /unevaluatedProperties/],
  ])('%s', (_what, schema, reason) => {
    const started = performance.now();
    expect(() => make(schema)).toThrow(reason);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
