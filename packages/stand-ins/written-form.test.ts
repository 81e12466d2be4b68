import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { ChatRequest } from './wire/chat-request.ts';

const planet = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    rows: { type: 'array', items: { $ref: '#/$defs/row' } },
    at: { type: 'string', format: 'date' },
  },
  required: ['title', 'rows'],
  additionalProperties: false,
};
const row = {
  type: 'object',
  properties: { name: { type: 'string' }, note: { anyOf: [{ type: 'null' }, { type: 'string' }] } },
  required: ['name', 'note'],
};
const source = {
  type: 'object',
  properties: { pointer: { type: 'string' }, numbers: { type: 'array', items: { type: 'integer' } } },
  required: ['pointer', 'numbers'],
};
const form = (value: object) => ({
  type: 'object',
  properties: { value, sources: { type: 'array', items: source } },
  required: ['value', 'sources'],
  $defs: { row },
});

const page =
  '[2] The moons of Mars\nhttps://example.com/moons\n\nMars has two moons. Phobos is a moon of Mars.';
const conversation = (opening: string, last: string): ChatRequest['messages'] => [
  { role: 'user', content: `Which moons does Mars have?\n\n${opening}` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'web_crawl', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: page },
  { role: 'assistant', content: 'It has two.' },
  { role: 'user', content: last },
];

const byFormat = (value: object, messages = conversation('', 'Write it.')): ChatRequest => ({
  model: 'stand-in',
  messages,
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: form(value) } },
});
const byPrompt = (value: object): ChatRequest => ({
  model: 'stand-in',
  messages: conversation(JSON.stringify(form(value)), 'Write the result as JSON.'),
});

const read = (request: ChatRequest): { value: unknown; sources: unknown } => {
  const decision = decide({ ...request, tool_choice: 'none' });
  return JSON.parse('text' in decision ? decision.text : '');
};

test.each([
  ['response_format', byFormat],
  ['a schema in the conversation', byPrompt],
])('a value by %s says that it is a stand-in, then what was read, with the sources', (_, request) => {
  const written = read(request(planet));
  expect(written).toEqual({
    value: {
      title: 'stand-in',
      rows: [
        { name: 'Mars has two moons.', note: 'Phobos is a moon of Mars.' },
        { name: 'stand-in', note: 'stand-in' },
      ],
      at: '2000-01-01',
    },
    sources: [
      { pointer: '/rows/0/name', numbers: [2] },
      { pointer: '/rows/0/note', numbers: [2] },
    ],
  });
  expect(read(request(planet))).toEqual(written);
});

test('a value has the lengths and formats of the schema in the conversation, which a response_format leaves out', () => {
  const text = (more: object) => ({
    type: 'object',
    properties: { a: { type: 'string', ...more } },
    required: ['a'],
  });
  const asked = (more: object) => {
    const { messages } = byPrompt(text(more));
    return read(byFormat(text({}), messages)).value;
  };
  expect(asked({ format: 'uri' })).toEqual({ a: 'https://example.com/stand-in' });
  expect(asked({ maxLength: 2 })).toEqual({ a: 'st' });
});

test('a value without room for texts names the first source for all of it', () => {
  expect(read(byFormat({ type: 'object', properties: { a: { type: 'integer' } } }))).toEqual({
    value: { a: 0 },
    sources: [{ pointer: '', numbers: [2] }],
  });
});

test('a value of a conversation without sources has none', () => {
  const asked: ChatRequest['messages'] = [{ role: 'user', content: 'Hello' }];
  expect(read(byFormat(planet, asked))).toMatchObject({ value: { title: 'stand-in' }, sources: [] });
});

test('a schema in the conversation is not answered while calls can be made, or where no JSON is asked for', () => {
  const asked = byPrompt(planet);
  expect(decide(asked)).toHaveProperty('text', expect.not.stringContaining('"sources":['));
  const { messages } = { messages: conversation(JSON.stringify(form(planet)), 'Go on.') };
  const decision = decide({ ...asked, messages, tool_choice: 'none' });
  expect(decision).toHaveProperty('text', expect.not.stringContaining('"sources":['));
});
