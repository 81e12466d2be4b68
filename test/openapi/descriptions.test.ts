import { beforeAll, expect, test } from 'vitest';
import { deref, describedApp, type OpenApiDocument } from '../support/openapi-document.ts';

/** Fields whose names say all: what they are is the same everywhere. */
const obvious = ['id', 'object', 'type', 'url', 'title', 'createdAt', 'updatedAt'];

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

let document: OpenApiDocument;

beforeAll(async () => {
  ({ document } = await describedApp());
});

/** The properties of a schema, and of the schemas in it, that nothing describes. */
function undescribed(schema: Schema, at: string): string[] {
  const properties = Object.entries(schema.properties ?? {});
  const own = properties
    .filter(([name, property]) => !obvious.includes(name) && !deref(document, property).description)
    .map(([name]) => `${at}.${name}`);
  const inside = [
    ...properties.map(([name, property]) => ({ part: property, place: `${at}.${name}` })),
    ...['items', 'additionalProperties', 'anyOf', 'oneOf']
      .flatMap((keyword) => schema[keyword] ?? [])
      .map((part) => ({ part, place: at })),
  ];
  return [...own, ...inside.flatMap(({ part, place }) => (isSchema(part) ? undescribed(part, place) : []))];
}

const isSchema = (part: unknown): part is Schema => typeof part === 'object' && part !== null;

test('every property of every schema has a description, unless its name says it all', () => {
  const schemas = Object.entries(document.components.schemas);
  expect(schemas.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
  expect(schemas.length).toBeGreaterThan(80);
});

test('a property without a description is found at any depth', () => {
  const list = { items: { anyOf: [{ properties: { price: { type: 'number' }, id: { type: 'string' } } }] } };
  expect(undescribed({ properties: { list: { description: 'Some.', ...list } } }, 'Thing')).toEqual([
    'Thing.list.price',
  ]);
});

test('every parameter and header has a description', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const said = [
    ...operations.flatMap(({ parameters = [] }) => parameters),
    ...Object.values(document.components.headers),
  ];
  expect(said.filter(({ description }) => !description)).toEqual([]);
  expect(said.length).toBeGreaterThan(40);
});

test('amounts, energy, emissions and durations name their unit', () => {
  const units: Record<string, RegExp> = {
    amount: /EUR/,
    credits: /EUR/,
    balance: /EUR/,
    energy: /Wms/,
    emissions: /ugCO2e/,
    seconds: /seconds/,
    size: /bytes/i,
  };
  const found = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, Schema>)
      .filter(([field]) => field in units)
      .map(([field, { description = '' }]) => ({
        at: `${name}.${field}`,
        says: units[field]?.test(description),
      })),
  );
  expect(found.filter(({ says }) => !says)).toEqual([]);
  expect(found.length).toBeGreaterThan(8);
});
