import { expect, test } from 'vitest';
import { fits, type Schema } from './fits.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$' },
    count: { type: ['integer', 'null'], minimum: 1 },
    colour: { type: 'string', enum: ['red', 'blue'] },
    rows: { type: 'array', minItems: 1, items: { anyOf: [{ type: 'number' }, { type: 'boolean' }] } },
  },
  required: ['name', 'count'],
  additionalProperties: false,
};

test.each<[unknown, boolean]>([
  [{ name: 'a', count: 1, colour: 'red', rows: [0.5, true] }, true],
  [{ name: 'a', count: null }, true],
  [{ name: 'a' }, false],
  [{ name: 'A', count: 1 }, false],
  [{ name: 'a', count: 0 }, false],
  [{ name: 'a', count: 1.5 }, false],
  [{ name: 'a', count: '1' }, false],
  [{ name: 'a', count: 1, colour: 'green' }, false],
  [{ name: 'a', count: 1, rows: [] }, false],
  [{ name: 'a', count: 1, rows: ['b'] }, false],
  [{ name: 'a', count: 1, note: 'b' }, false],
  [[], false],
  [undefined, false],
])('whether %j fits its schema is %s', (value, isFit) => {
  expect(fits(schema, value)).toBe(isFit);
});
