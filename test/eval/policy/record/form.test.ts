import { expect, test } from 'vitest';
import { readForm } from './form.ts';

const schema = {
  type: 'object',
  properties: {
    value: {
      type: 'object',
      properties: {
        town: { $ref: '#/$defs/town' },
        size: { description: 'In "metres" {or not}', anyOf: [{ type: 'integer' }, { type: 'null' }] },
      },
      required: ['town'],
    },
    sources: { type: 'array', items: { type: 'object', properties: { pointer: { type: 'string' } } } },
  },
  $defs: {
    town: {
      type: 'object',
      description: 'The seat',
      properties: { name: { type: 'string', description: 'Its name' } },
      required: ['name'],
    },
  },
};
const request = (content: string, more: object = {}) => ({
  model: 'm',
  messages: [
    { role: 'system', content },
    { role: 'user', content: 'Fill in the record of Tarvel.' },
  ],
  ...more,
});
const form = {
  hasSources: true,
  value: {
    kind: 'object',
    properties: [
      {
        key: 'town',
        isRequired: true,
        part: {
          kind: 'object',
          properties: [
            {
              key: 'name',
              isRequired: true,
              part: {
                kind: 'field',
                text: 'Its name / The seat',
                description: 'Its name',
                types: ['string'],
                members: [],
              },
            },
          ],
        },
      },
      {
        key: 'size',
        isRequired: false,
        part: {
          kind: 'field',
          text: 'In "metres" {or not}',
          description: 'In "metres" {or not}',
          types: ['integer', 'null'],
          members: [],
        },
      },
    ],
  },
};

test('the form is read from the instructions, between other words and braces', () => {
  expect(
    readForm(request(`Pointers {such} as these. Schema:\n${JSON.stringify(schema)}\nWrite it.`)),
  ).toEqual(form);
});

test('a form that is not told is read from the request, and there may be none', () => {
  const response_format = { json_schema: { schema } };
  expect(readForm(request('Work.', { response_format }))).toEqual(form);
  expect(readForm(request('Work. {"properties": {}}'))).toBeUndefined();
});
