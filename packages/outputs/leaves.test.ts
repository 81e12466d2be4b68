import { limits, type OrderedJson, parseOrderedJson } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { tellValue } from './leaves.ts';
import { readSchema } from './read-schema.ts';

const leaves = (...given: Parameters<typeof told>) => told(...given).leaves;

function told(schema: object, value: unknown, sources: Record<string, number[]> = {}) {
  const read = readSchema(parseOrderedJson(JSON.stringify(schema)).value);
  if ('issue' in read) throw new Error(read.issue.problem);
  const ordered: OrderedJson = parseOrderedJson(JSON.stringify(value)).value;
  return tellValue({ value: ordered, sources: new Map(Object.entries(sources)) }, read.schema);
}

const laptops = {
  type: 'object',
  properties: {
    rows: {
      title: 'Laptops',
      type: 'array',
      items: { $ref: '#/$defs/Laptop' },
    },
  },
  $defs: {
    Laptop: {
      type: 'object',
      properties: {
        kind: { const: 'laptop' },
        name: { type: 'string' },
        price: { type: ['number', 'null'], description: 'Price in EUR' },
        inStock: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};

describe('the leaves of a value', () => {
  it('have pointers that are bounded together, however deep they lie, and the text is whole', () => {
    const name = '/'.repeat(limits.outputNameCharacters);
    const schema = {
      type: 'object',
      properties: { [name]: { $ref: '#' }, all: { type: 'array', items: { type: 'number' } } },
    };
    let value: object = { all: Array.from({ length: 400 }, (_, i) => i) };
    for (let level = 0; level < 50; level++) value = { [name]: value };
    const { text, leaves: found } = told(schema, value, { '': [3] });
    expect(text).toBe(JSON.stringify(value));
    expect(found.length).toBeGreaterThan(1);
    expect(found[0]).toMatchObject({ pointer: expect.stringMatching(/\/all\/0$/), sources: [3] });
    const characters = found.reduce((sum, { pointer }) => sum + pointer.length, 0);
    expect(characters).toBeLessThanOrEqual(limits.basisPointerCharacters);
  });

  it('are its facts, each with a statement', () => {
    const value = {
      rows: [
        { kind: 'laptop', name: 'Foo', price: 12.5, inStock: true, tags: ['light'] },
        { kind: 'laptop', name: 'Bar', price: null },
      ],
    };
    expect(leaves(laptops, value).map(({ pointer, claim }) => `${pointer} ${claim}`)).toEqual([
      '/rows/0/name Laptops › name: "Foo"',
      '/rows/0/price Laptops › price (Price in EUR), in the row with name "Foo": 12.5',
      '/rows/0/inStock Laptops › in stock, in the row with name "Foo": true',
      '/rows/0/tags/0 Laptops › tags, in the row with name "Foo": "light"',
      '/rows/1/name Laptops › name: "Bar"',
    ]);
  });

  it('say of which name they are, and whose value it is', () => {
    const schema = {
      title: 'A company',
      type: 'object',
      properties: {
        company_name: { type: 'string' },
        founded: { type: 'integer', title: 'Year of foundation' },
      },
    };
    expect(leaves(schema, { founded: 1990, company_name: 'Acme' }).map(({ claim }) => claim)).toEqual([
      'A company › Year of foundation, beside company name "Acme": 1990',
      'A company › company name: "Acme"',
    ]);
  });

  it('are told apart by the nearest object, and by the rows of lists around it', () => {
    const named = (properties: object) => ({
      type: 'object',
      properties: { name: { type: 'string' }, ...properties },
    });
    const rows = { type: 'array', items: named({ seat: named({ river: { type: 'string' } }) }) };
    const value = { name: 'Fair', rows: [{ name: 'Acme', seat: { name: 'Ulm', river: 'Danube' } }] };
    expect(leaves(named({ rows }), value).map(({ claim }) => claim)).toEqual([
      'name: "Fair"',
      'rows › name, beside name "Fair": "Acme"',
      'rows › seat › name, in the row with name "Acme": "Ulm"',
      'rows › seat › river, in the row with name "Acme", beside name "Ulm": "Danube"',
    ]);
  });

  it('have the words of the alternative that they fit', () => {
    const of = (kind: string, description: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, size: { type: 'number', description } },
    });
    const schema = {
      type: 'object',
      properties: { it: { oneOf: [of('a', 'In metres'), of('b', 'In litres')] } },
    };
    expect(leaves(schema, { it: { size: 2, kind: 'b' } }).map(({ claim }) => claim)).toEqual([
      'it › size (In litres): 2',
    ]);
  });

  it('have the sources of the nearest pointer', () => {
    const value = { rows: [{ name: 'Foo', price: 1 }, { name: 'Bar' }] };
    const sources = { '': [0], '/rows/0': [2, 5], '/rows/0/price': [7] };
    expect(leaves(laptops, value, sources).map((leaf) => leaf.sources)).toEqual([[2, 5], [7], [0]]);
  });

  it('are bounded, and their statements too', () => {
    const long = 'x '.repeat(5_000);
    const rows = Array.from({ length: limits.basisFields }, () => ({ name: long, price: 1 }));
    const schema = JSON.parse(JSON.stringify(laptops).replaceAll('Price in EUR', long));
    const told = leaves(schema, { rows });
    expect(told).toHaveLength(limits.basisFields);
    expect(Math.max(...told.map(({ claim }) => claim.length))).toBeLessThan(1_000);
  });
});
