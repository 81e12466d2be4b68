import { expect, test } from 'vitest';
import { createDelivered, writtenText } from './delivered.ts';

const answer = (message: unknown) => ({ choices: [{ index: 0, message }] });

test.each([
  [{ content: 'a' }, 'a'],
  [{ content: [{ type: 'text', text: 'a' }, 'b', { type: 'image_url' }, null] }, 'ab'],
  [
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'text', text: 'a' },
      ],
    },
    'hma',
  ],
  [{ reasoning_content: '', reasoning: 'hm', content: null, refusal: 'no' }, 'hmno'],
  [{ tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }, null] }, 'f{"a":1}'],
  [{ tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] }, 'f{"a":1}'],
  [{ tool_calls: [{ custom: { name: 'f', input: 'in' } }] }, 'fin'],
  [{ function_call: { name: 'f', arguments: 'x' } }, 'fx'],
  [{ audio: { transcript: 'said' } }, 'said'],
  [{ content: 7 }, ''],
  [null, ''],
])('of %j the model wrote %j', (message, text) => {
  expect(writtenText(answer(message))).toBe(text);
});

test.each([undefined, null, {}, { choices: null }, { choices: [null, { index: 'x' }] }])(
  'nothing was written in %j',
  (chunk) => {
    expect(writtenText(chunk)).toBe('');
  },
);

test('choices that alternate are texts of their own', () => {
  const delivered = createDelivered();
  for (const content of ['inter', 'nation', 'al'])
    for (const index of [0, 1])
      delivered.add(Buffer.from(JSON.stringify({ choices: [{ index, delta: { content } }] })));
  expect(delivered.text()).toBe('internationalinternational');
});
