import { type OrderedJson, parseOrderedJson, stringifyOrderedJson } from '@errand/platform';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findProblems } from './find-problems.ts';
import { providerFormat, readSchema, readWritten, tellValue, writtenForm } from './index.ts';
import { stepsOf, valueAt } from './pointers.ts';
import type { SchemaText } from './problems.ts';
import { mapOf, type SchemaNode } from './schema-tree.ts';
import { itemNodes, propertyNodes, shapeOf } from './shape.ts';
import { schemaAndValue } from './test-support/schemas.ts';

function textOf(schema: OrderedJson): SchemaText {
  const read = readSchema(schema);
  if ('issue' in read) throw new Error(`${read.issue.place}: ${read.issue.problem}`);
  return read.schema;
}

const problemsOf = (schema: string, value: OrderedJson) =>
  findProblems({
    bytes: new TextEncoder().encode(`[${schema},${stringifyOrderedJson(value)}]`),
    mostProblems: 20,
  }).problems;

const ajv = new Ajv2020({ strict: false, ownProperties: true });
ajvFormats.default(ajv);
let nextId = 0;

/** Ajv reads no property `__proto__`, which another test has. */
function ajvTakes(schema: string, value: OrderedJson): boolean {
  const renamed = (text: string) => JSON.parse(text.replaceAll('__proto__', 'proto'));
  // Without a name of its own, `#` is the root of an earlier schema.
  const named = { ...renamed(schema), $id: `urn:errand:${nextId++}` };
  return ajv.compile(named)(renamed(stringifyOrderedJson(value)));
}

/** Every place of a value, with what stands there. */
function* placesOf(value: OrderedJson, steps: readonly string[] = []): Generator<readonly string[]> {
  yield steps;
  const entries = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
  for (const [step, each] of entries) yield* placesOf(each, [...steps, String(step)]);
}

/** The value with an entry more, or without its last one. */
const resized = (value: OrderedJson, isMore: boolean): OrderedJson => {
  if (Array.isArray(value)) return isMore ? [...value, value[0] ?? null] : value.slice(0, -1);
  if (value instanceof Map) return new Map(isMore ? [...value, ['more', null]] : [...value].slice(0, -1));
  return isMore ? `${value}` : null;
};

function withAt(value: OrderedJson, [step, ...rest]: readonly string[], made: OrderedJson): OrderedJson {
  if (step === undefined) return made;
  if (Array.isArray(value))
    return value.map((each, i) => (String(i) === step ? withAt(each, rest, made) : each));
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([key, each]) => [key, key === step ? withAt(each, rest, made) : each]));
}

const replacements: readonly OrderedJson[] = [
  ...[null, true, 0, -1.5, 1_000_000.25, '', 'AB123', 'a'.repeat(40), 'k0', [], [null, 1, 'x']],
  new Map(),
  new Map<string, OrderedJson>([
    ['kind', 'k1'],
    ['1', 'x'],
    ['__proto__', 1],
  ]),
];

describe('schemas of all that is taken', () => {
  it('are read, keep the order of their keys, and take the values that are made for them', () => {
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        const text = textOf(schema);
        expect(problemsOf(text, value)).toEqual([]);
        expect(text.replaceAll(',"additionalProperties":false', '')).toBe(
          stringifyOrderedJson(schema).replaceAll(',"additionalProperties":false', ''),
        );
        expect(readSchema(parseOrderedJson(text).value)).toEqual({ schema: text });
      }),
    );
  });

  it('refuse what Ajv refuses, and take what it takes', () => {
    const changes = fc.tuple(
      fc.nat(),
      fc.oneof(fc.constantFrom(...replacements), fc.constantFrom('more', 'less')),
    );
    fc.assert(
      fc.property(schemaAndValue, changes, ({ schema, value }, [at, made]) => {
        const text = textOf(schema);
        // Ajv misses no required property whose name is empty.
        fc.pre(!text.includes('""'));
        const places = [...placesOf(value)];
        const place = places[at % places.length]!;
        const isResized = made === 'more' || made === 'less';
        const before = valueAt(value, place)!;
        const changed = withAt(value, place, isResized ? resized(before, made === 'more') : made);
        const valid = ajvTakes(text, changed);
        expect({ valid: problemsOf(text, changed).length === 0 }).toEqual({ valid });
      }),
      { numRuns: 300 },
    );
  });

  it('have a written form that takes the value and its sources, and that is read back', () => {
    fc.assert(
      fc.property(
        schemaAndValue,
        fc.constantFrom('', ' and words {"', '\n```'),
        ({ schema, value }, after) => {
          const text = textOf(schema);
          const places = [...placesOf(value)].map((steps) =>
            steps.map((s) => `/${s.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
          );
          const written = new Map<string, OrderedJson>([
            ['value', value],
            [
              'sources',
              places.map(
                (pointer, i) =>
                  new Map<string, OrderedJson>([
                    ['pointer', pointer],
                    ['numbers', [i]],
                  ]),
              ),
            ],
          ]);
          expect(problemsOf(writtenForm(text), written)).toEqual([]);
          const sent =
            after === ''
              ? stringifyOrderedJson(written)
              : `Words:\n\`\`\`json\n${stringifyOrderedJson(written)}${after}`;
          const read = readWritten(sent, text)!;
          expect(stringifyOrderedJson(read.value)).toBe(stringifyOrderedJson(value));
          expect(read.sources).toEqual(new Map(places.map((pointer, i) => [pointer, [i]])));
        },
      ),
    );
  });

  it('are read without what was added to a value that has all that they name', () => {
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        const text = textOf(schema);
        const whole = withNulls(text, value) as Map<string, OrderedJson>;
        fc.pre(whole.size > 0);
        const read = (...added: [string, OrderedJson][]) => {
          const sent = new Map<string, OrderedJson>([
            ['value', new Map([...added, ...whole])],
            ['sources', []],
          ]);
          return stringifyOrderedJson(readWritten(stringifyOrderedJson(sent), text)!.value);
        };
        expect(read(['an added field', new Map([['a', 1]])], ['another', 1])).toBe(read());
      }),
    );
  });

  it("are narrowed to a provider's form, which takes every value with null for what is left out", () => {
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        const text = textOf(schema);
        const narrowed = JSON.stringify(providerFormat(text).json_schema.schema);
        const sent = new Map<string, OrderedJson>([
          ['value', withNulls(text, value)],
          ['sources', []],
        ]);
        expect(ajvTakes(narrowed, sent)).toBe(true);
        const read = readWritten(stringifyOrderedJson(sent), text)!;
        expect(problemsOf(text, read.value)).toEqual([]);
      }),
    );
  });

  it('tell each field where its JSON stands in the text', () => {
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        const { text, leaves } = tellValue({ value, sources: new Map() }, textOf(schema));
        expect(text).toBe(stringifyOrderedJson(value));
        for (const { pointer, startIndex, endIndex, claim } of leaves) {
          expect(JSON.parse(text.slice(startIndex, endIndex))).toBe(valueAt(value, stepsOf(pointer)));
          expect(claim.length).toBeLessThan(2_000);
        }
      }),
    );
  });
});

/** The value with null for each property that its schema lets it leave out. */
function withNulls(schema: SchemaText, value: OrderedJson): OrderedJson {
  const shape = shapeOf(schema);
  const walk = (nodes: readonly SchemaNode[], each: OrderedJson): OrderedJson => {
    const near = shape.nearest(nodes, each);
    if (Array.isArray(each)) return each.map((item) => walk(itemNodes(near), item));
    if (!(each instanceof Map)) return each;
    const names = mapOf(near[0]?.get('properties')).keys();
    const made = new Map([...each].map(([key, item]) => [key, walk(propertyNodes(near, key), item)]));
    for (const name of names) if (!made.has(name)) made.set(name, null);
    return made;
  };
  return walk(shape.root, value);
}
