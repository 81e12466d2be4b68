import { countTokens } from '@errand/models';
import { expect, test } from 'vitest';
import { createWrittenText, textOf } from './written-text.ts';

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
  expect(textOf(message)).toBe(text);
});

test.each([undefined, null, {}, { choices: null }, { choices: [null, { index: 'x' }, { delta: 7 }] }])(
  'nothing was written in %j',
  async (chunk) => {
    const written = createWrittenText();
    written.add(chunk);
    expect(await written.countTokens()).toBe(0);
  },
);

test('alternating choices are counted as separate texts', async () => {
  const written = createWrittenText();
  for (const content of ['inter', 'nation', 'al'])
    for (const index of [0, 1]) written.add({ choices: [{ index, delta: { content } }] });
  expect(await written.countTokens()).toBe(await countTokens('internationalinternational'));
});

test('text beyond the length that is kept is counted too', async () => {
  const written = createWrittenText();
  const words = 'twelve words of text that are counted long before the stream ends '.repeat(1_000);
  for (let i = 0; i < 40; i++) written.add({ choices: [{ index: 0, delta: { content: words } }] });
  const all = await countTokens(words.repeat(40));
  expect(Math.abs((await written.countTokens()) - all)).toBeLessThan(10);
});
