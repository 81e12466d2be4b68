import { limits, type OrderedJson, parseOrderedJson } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { readSchema } from './read-schema.ts';

const ordered = (value: unknown): OrderedJson => parseOrderedJson(JSON.stringify(value)).value;

const objectOf = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

const issueOf = (schema: unknown) => {
  const read = readSchema(ordered(schema));
  return 'issue' in read ? `${read.issue.place}: ${read.issue.problem}` : 'taken';
};

const chain = (length: number, link: (next: object) => object) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `d${i}`,
      i === length - 1 ? { type: 'string' } : link({ $ref: `#/$defs/d${i + 1}` }),
    ]),
  );

const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };

describe('a schema', () => {
  it('is kept as it was sent, and closes its objects', () => {
    const sent =
      '{"$schema":"http://json-schema.org/draft-07/schema#","$id":"a","type":"object","properties":{"10":{"type":"string","default":"x"},"__proto__":{"type":["object","null"]},"2":{"const":1}},"required":["2","10"]}';
    expect(readSchema(parseOrderedJson(sent).value)).toEqual({
      schema:
        '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"10":{"type":"string","default":"x"},"__proto__":{"type":["object","null"],"additionalProperties":false},"2":{"const":1}},"required":["2","10"],"additionalProperties":false}',
    });
  });

  it('may be frozen, and is not changed', () => {
    const schema = new Map<string, OrderedJson>([['type', 'object']]);
    readSchema(Object.freeze(schema));
    expect([...schema]).toEqual([['type', 'object']]);
  });

  it.each([
    ['#', objectOf({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } })],
    ['a definition', { $ref: '#/$defs/Foo', $defs: { Foo: objectOf({ foo: { $ref: '#/$defs/Foo' } }) } }],
    [
      'a definition with words beside it, as draft-07 has it',
      objectOf(
        { a: { allOf: [{ $ref: '#/definitions/b' }], description: 'B' } },
        { definitions: { b: { type: 'string' } } },
      ),
    ],
    [
      'an escaped name',
      objectOf({ a: { $ref: '#/definitions/a~1b%20c' } }, { definitions: { 'a/b c': { type: 'string' } } }),
    ],
  ])('may refer to %s', (_, schema) => {
    expect(issueOf(schema)).toBe('taken');
  });

  it.each<[string, unknown]>([
    [': must be a schema (an object)', [1]],
    [': must have the type object at its root', { type: 'array', items: { type: 'string' } }],
    [': must have the type object at its root', { type: ['object', 'null'] }],
    [': must have the type object at its root', { anyOf: [{ type: 'object' }] }],
    [
      'properties.rows.items.uniqueItems: "uniqueItems" is not a keyword that is taken here',
      objectOf({
        rows: { type: 'array', items: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
      }),
    ],
    [
      'properties.a.allOf: allOf must be a list of one schema, without anyOf beside it',
      objectOf({ a: { allOf: [] } }),
    ],
    [
      'additionalProperties: additionalProperties must be false: a value has no properties that are not named',
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    ['properties.a: must be a schema (an object)', objectOf({ a: true })],
    ['properties.a: must have one of type, enum, const, anyOf, oneOf and $ref', objectOf({ a: {} })],
    ['properties.a: must have items, because it has the type array', objectOf({ a: { type: 'array' } })],
    [
      'properties.a.pattern: pattern must be a regular expression in Unicode mode',
      objectOf({ a: { type: 'string', pattern: '(' } }),
    ],
    [
      'properties.a.minLength: minLength must be a whole number, 0 or more',
      objectOf({ a: { type: 'string', minLength: -1 } }),
    ],
    [
      'properties.a.enum: enum must be a list of texts, numbers, flags and null',
      objectOf({ a: { enum: [{}] } }),
    ],
    [
      '$schema: $schema must be that of 2020-12 or draft-07',
      objectOf({}, { $schema: 'http://json-schema.org/draft-04/schema#' }),
    ],
    [
      'required: required names "b", which is not in properties',
      objectOf({ a: { type: 'string' } }, { required: ['a', 'b'] }),
    ],
    [
      'properties.a.anyOf.1.type: type must be one of string, number, integer, boolean, object, array and null, or a list of them',
      objectOf({ a: { anyOf: [{ type: 'null' }, { type: 'text' }] } }),
    ],
    [
      'properties.a.properties: properties may not stand beside anyOf',
      objectOf({ a: { anyOf: [{ type: 'null' }], properties: {} } }),
    ],
    ['properties.a.$defs: $defs may stand at the root alone', objectOf({ a: { type: 'string', $defs: {} } })],
    [
      'properties.a.$ref: $ref must be # or lead to a definition that is there, as #/$defs/name or #/definitions/name',
      objectOf({ a: { $ref: '#/properties/a' } }),
    ],
    [
      'properties.a.$ref: $ref must be # or lead to a definition that is there, as #/$defs/name or #/definitions/name',
      objectOf({ a: { $ref: 'https://a.example/schema' } }),
    ],
  ])('is refused with its place: %s', (issue, schema) => {
    expect(issueOf(schema)).toBe(issue);
  });

  it.each([
    ['its own root', { $ref: '#' }],
    ['a definition of itself', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
    [
      'a circle',
      objectOf(
        { a: { $ref: '#/$defs/a' } },
        { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { oneOf: [{ $ref: '#/$defs/a' }] } } },
      ),
    ],
  ])('is refused that is %s', (_, schema) => {
    expect(issueOf(schema)).toContain('$ref leads back to itself without properties or items between');
  });

  it.each([
    [
      'doubles',
      objectOf({ a: { $ref: '#/$defs/d0' } }, { $defs: chain(40, (next) => ({ anyOf: [next, next] })) }),
    ],
    ['is long', objectOf({ a: { $ref: '#/$defs/d0' } }, { $defs: chain(1_500, (next) => next) })],
    ['is wide', objectOf({ a: { anyOf: Array.from({ length: 60 }, () => ({ type: 'string' })) } })],
  ])('is refused where a chain of alternatives %s', (_, schema) => {
    expect(issueOf(schema)).toContain(`more than ${limits.outputSchemaAlternatives} alternatives`);
  });

  it.each<[keyof typeof limits, (most: number) => unknown]>([
    [
      'outputSchemaProperties',
      (most) => objectOf(Object.fromEntries(Array.from({ length: most }, (_, i) => [`p${i}`, { const: i }]))),
    ],
    ['outputSchemaLevels', (most) => objectOf({ a: nested(most - 1) })],
    ['outputEnumValues', (most) => objectOf({ a: { enum: Array.from({ length: most }, (_, i) => i) } })],
    ['outputPatternCharacters', (most) => objectOf({ a: { type: 'string', pattern: 'a'.repeat(most) } })],
    ['outputNameCharacters', (most) => objectOf({ ['a'.repeat(most)]: { type: 'string' } })],
    ['outputSchemaBytes', (most) => objectOf({}, { title: 'ä'.repeat((most - 44) / 2) })],
  ])('may have as much as %s says, and no more', (limit, make) => {
    expect(issueOf(make(limits[limit]))).toBe('taken');
    expect(issueOf(make(limits[limit] + 2))).toContain(String(limits[limit]));
  });

  it('is refused where it holds itself, or is deeper than any call may go', () => {
    const itself = new Map<string, OrderedJson>([['type', 'object']]);
    itself.set('default', itself);
    let deep: OrderedJson = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const schema of [itself, new Map([['default', deep]])])
      expect(readSchema(schema)).toEqual({
        issue: { place: '', problem: 'is nested more than 64 levels deep' },
      });
  });

  it.each<[string, OrderedJson, string]>([
    ['a number past a double', Number.POSITIVE_INFINITY, 'has a number outside of the range of a double'],
    ['half of a character', '\ud800', 'has a text that is not well-formed Unicode'],
  ])('is refused with %s', (_, value, problem) => {
    expect(readSchema(new Map([['default', value]]))).toEqual({ issue: { place: '', problem } });
  });
});
