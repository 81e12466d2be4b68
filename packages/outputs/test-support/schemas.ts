import type { OrderedJson, OrderedObject } from '@errand/platform';
import fc from 'fast-check';

export interface SchemaAndValue {
  schema: OrderedObject;
  /** Fits the schema. */
  value: OrderedObject;
}

/** A schema, and values that fit it. */
interface Kind {
  schema: OrderedObject;
  value: fc.Arbitrary<OrderedJson>;
}

type Keywords = readonly (readonly [string, OrderedJson])[];

const kind = (value: fc.Arbitrary<OrderedJson>, ...keywords: Keywords): Kind => ({
  schema: new Map(keywords),
  value,
});

const plainText = fc.string({ unit: 'grapheme', maxLength: 12 });

const formats: readonly [string, readonly string[]][] = [
  ['email', ['a@b.example', 'long.name+tag@host.example']],
  ['date', ['2026-11-27', '2024-02-29']],
  ['date-time', ['2026-11-27T12:00:00Z', '2026-11-27T12:00:00.5+01:00']],
  ['uuid', ['2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d']],
  ['ipv4', ['192.0.2.1']],
  ['uri', ['https://a.example/b?c=d#e']],
];

const patterns: readonly [string, readonly string[]][] = [
  ['^[A-Z]{2}\\d{3}$', ['AB123', 'ZZ000']],
  ['^(?!x)\\w+$', ['abc', 'y']],
  ['\\p{Lu}', ['Ä', 'aBc']],
];

const texts: fc.Arbitrary<Kind> = fc.oneof(
  fc.constant(kind(plainText, ['type', 'string'])),
  fc.constant(kind(plainText, ['type', 'string'], ['title', 'A title'], ['description', 'What it is'])),
  fc
    .nat(4)
    .map((least) =>
      kind(
        fc.string({ minLength: least, maxLength: least + 3 }),
        ['type', 'string'],
        ['minLength', least],
        ['maxLength', least + 3],
      ),
    ),
  fc
    .constantFrom(...formats)
    .map(([format, values]) => kind(fc.constantFrom(...values), ['type', 'string'], ['format', format])),
  fc
    .constantFrom(...patterns)
    .map(([pattern, values]) => kind(fc.constantFrom(...values), ['type', 'string'], ['pattern', pattern])),
);

const numbers: fc.Arbitrary<Kind> = fc.oneof(
  fc.constant(kind(fc.integer(), ['type', 'integer'])),
  fc.constant(
    kind(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
      ['type', 'number'],
    ),
  ),
  fc
    .integer({ min: -9, max: 9 })
    .map((least) =>
      kind(
        fc.integer({ min: least, max: least + 20 }),
        ['type', 'integer'],
        ['minimum', least],
        ['exclusiveMaximum', least + 21],
      ),
    ),
  fc.constantFrom(3, 0.5).map((step) =>
    kind(
      fc.integer({ min: -100, max: 100 }).map((each) => each * step + 0),
      ['type', 'number'],
      ['multipleOf', step],
    ),
  ),
);

const scalar: fc.Arbitrary<OrderedJson> = fc.oneof(
  fc.constantFrom('a', 'B', 'ä', '', 'true'),
  fc.integer({ min: -5, max: 5 }),
  fc.boolean(),
);

const typeOf = (value: OrderedJson): string => (value === null ? 'null' : typeof value);

const fixed: fc.Arbitrary<Kind> = fc.oneof(
  fc.constant(kind(fc.boolean(), ['type', 'boolean'])),
  fc.constant(kind(fc.constant(null), ['type', 'null'])),
  scalar.map((only) => kind(fc.constant(only), ['const', only])),
  scalar.map((only) => kind(fc.constant(only), ['type', typeOf(only)], ['const', only])),
  fc
    .uniqueArray(scalar, { minLength: 1, maxLength: 4 })
    .map((values) => kind(fc.constantFrom(...values), ['enum', values])),
);

const nullable = (inner: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> =>
  inner.map(({ schema, value }) => {
    const type = schema.get('type');
    const orNull = fc.oneof(fc.constant(null), value);
    if (typeof type !== 'string' || type === 'null' || schema.has('const'))
      return kind(orNull, ['anyOf', [schema, new Map([['type', 'null']])]]);
    return { schema: new Map([...schema, ['type', [type, 'null']]]), value: orNull };
  });

/** Names that a careless reader takes for something else, or puts into another order. */
const hostileNames = [
  '__proto__',
  'constructor',
  'toString',
  '10',
  '2',
  '0',
  'a/b~c',
  'ä b',
  '',
  '$ref',
  'enum',
];
const names = fc.oneof(
  fc.constantFrom(...hostileNames, 'properties', 'value', 'sources'),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
);

interface Property {
  name: string;
  kind: Kind;
  isRequired: boolean;
}

const objectOf = (inner: fc.Arbitrary<Kind>, minLength = 0): fc.Arbitrary<Kind> =>
  fc
    .uniqueArray(fc.record({ name: names, kind: inner, isRequired: fc.boolean() }), {
      minLength,
      maxLength: 4,
      selector: ({ name }) => name,
    })
    .chain((properties) =>
      fc.boolean().map((isClosed) => {
        const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
        return kind(
          objectValue(properties),
          ['type', 'object'],
          ['properties', new Map(properties.map(({ name, kind: { schema } }) => [name, schema]))],
          ...(required.length > 0 ? [['required', required] as const] : []),
          ...(isClosed ? [['additionalProperties', false] as const] : []),
        );
      }),
    );

/** Its properties in any order. */
const objectValue = (properties: readonly Property[]): fc.Arbitrary<OrderedObject> =>
  fc
    .tuple(
      ...properties.map(({ name, kind: { value }, isRequired }) =>
        fc.tuple(fc.constant(name), value, isRequired ? fc.constant(true) : fc.boolean()),
      ),
    )
    .chain((entries) => fc.shuffledSubarray(entries, { minLength: entries.length }))
    .map(
      (entries) => new Map(entries.filter(([, , isThere]) => isThere).map(([name, value]) => [name, value])),
    );

const listOf = (inner: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> =>
  fc.tuple(inner, fc.nat(2), fc.boolean()).map(([{ schema, value }, least, isBounded]) =>
    kind(
      fc.array(value, { minLength: isBounded ? least : 0, maxLength: least + 2 }),
      ['type', 'array'],
      ['items', schema],
      ...(isBounded
        ? ([
            ['minItems', least],
            ['maxItems', least + 2],
          ] as const)
        : []),
    ),
  );

/** A union of objects that `kind` tells apart, as zod writes it. */
const discriminated = (inner: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> =>
  fc.tuple(fc.constantFrom('oneOf', 'anyOf'), inner, inner).map(([keyword, ...both]) => {
    const alternatives = both.map(({ schema }, i) =>
      kind(
        fc.constant(null),
        ['type', 'object'],
        [
          'properties',
          new Map<string, OrderedJson>([
            ['kind', new Map([['const', `k${i}`]])],
            ['1', schema],
          ]),
        ],
        ['required', ['kind', '1']],
      ),
    );
    const values = both.map(({ value }, i) =>
      value.map(
        (each): OrderedJson =>
          new Map<string, OrderedJson>([
            ['kind', `k${i}`],
            ['1', each],
          ]),
      ),
    );
    return kind(fc.oneof(...values), [keyword, alternatives.map(({ schema }) => schema)]);
  });

const definitionNames = ['T', 'a/b~c', 'ä 1', '__proto__'];

const referenceTo = (keyword: string, name: string) =>
  `#/${keyword}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

/** A root with definitions, which may refer to itself. */
const root = (depth: number): fc.Arbitrary<Kind> =>
  fc
    .tuple(
      fc.constantFrom('$defs', 'definitions'),
      fc.tuple(...definitionNames.map(() => kindOf(1))),
      fc.boolean(),
    )
    .chain(([keyword, definitions, isRecursive]) => {
      const references = definitions.map(({ value }, i) =>
        kind(value, ['$ref', referenceTo(keyword, definitionNames[i]!)]),
      );
      return objectOf(fc.oneof(kindOf(depth), fc.constantFrom(...references)), 1).map((made) =>
        withDefinitions(isRecursive ? recursive(made) : made, keyword, definitions),
      );
    });

const withDefinitions = ({ schema, value }: Kind, keyword: string, definitions: readonly Kind[]): Kind => ({
  schema: new Map([
    ...schema,
    [keyword, new Map(definitions.map((each, i) => [definitionNames[i]!, each.schema]))],
  ]),
  value,
});

/** The object, which may hold another one of itself. */
function recursive({ schema, value }: Kind): Kind {
  const properties = schema.get('properties');
  if (!(properties instanceof Map) || properties.has('more')) return { schema, value };
  const more = new Map([...properties, ['more', new Map([['$ref', '#']])]]);
  const nested = fc.tuple(value, fc.option(value)).map(([outer, inner]) => {
    if (!(outer instanceof Map) || inner === null) return outer;
    return new Map([...outer, ['more', inner]]);
  });
  return { schema: new Map([...schema, ['properties', more]]), value: nested };
}

function kindOf(depth: number): fc.Arbitrary<Kind> {
  const flat = fc.oneof(texts, numbers, fixed);
  if (depth === 0) return fc.oneof(flat, nullable(flat));
  const inner = kindOf(depth - 1);
  return fc.oneof(
    flat,
    nullable(flat),
    objectOf(inner),
    listOf(inner),
    discriminated(inner),
    nullable(objectOf(inner)),
  );
}

/** Schemas of all that is taken, and a value of each. */
export const schemaAndValue: fc.Arbitrary<SchemaAndValue> = root(2).chain(({ schema, value }) =>
  value.filter((each) => each instanceof Map).map((each) => ({ schema, value: each })),
);
