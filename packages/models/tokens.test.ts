import { expect, test } from 'vitest';
import { countCompletion } from './count-chat.ts';
import { countTokens } from './tokens.ts';

test.each([
  ['', 0],
  ['hello world', 2],
  ['漢字', 2],
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['<|endoftext|>', 7],
])('%j has %i o200k tokens', async (text, tokens) => {
  expect(await countTokens(text)).toBe(tokens);
});

test('a long unbroken run is counted in pieces, and what is around it exactly', async () => {
  const run = 'a'.repeat(512);
  const one = await countTokens(run);
  expect(await countTokens(`hello ${run.repeat(200)} world`)).toBeLessThanOrEqual(200 * (one + 1) + 2);
  expect(await countTokens(`${'='.repeat(100_000)}`)).toBeGreaterThan(1_000);
  expect(await countTokens(' '.repeat(1_000_000))).toBeGreaterThan(1_000);
});

test('a request is counted with its texts, calls and tools; a picture at a flat number', async () => {
  const count = async (messages: object[], more: object = {}) =>
    (
      await countCompletion(
        { messages: messages as never, ...more },
        { role: 'assistant', content: 'hello world' },
      )
    ).inputTokens;
  const plain = await count([{ role: 'user', content: 'hello world' }]);
  expect(plain).toBe(3 + 3 + 1 + 2);
  const parts = [
    { type: 'text', text: 'hello world' },
    { type: 'image_url', image_url: { url: 'data:x' } },
    null,
    7,
  ];
  expect(await count([{ role: 'user', content: parts }])).toBe(plain + 765);
  expect(
    await count([{ role: 'user', content: 'hello world' }], { tools: [{ type: 'function' }] }),
  ).toBeGreaterThan(plain);
  expect(await count([{ role: 'user', content: ['hello', ' world'] }])).toBe(plain);
  const schema = { type: 'object', properties: { colour: { type: 'string' } } };
  for (const more of [{ functions: [{ name: 'f', parameters: schema }] }, { response_format: { schema } }])
    expect(await count([{ role: 'user', content: 'hello world' }], more)).toBeGreaterThan(plain + 10);
  for (const more of [{ reasoning_content: 'hello' }, { function_call: { name: 'f', arguments: '{}' } }])
    expect(await count([{ role: 'user', content: 'hello world', ...more }])).toBeGreaterThan(plain);
  const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
  expect(await count([{ role: 'assistant', content: null, tool_calls: calls }])).toBeGreaterThan(10);
});

test('a long run of signs and line ends, which o200k takes for one piece, does not block the process', async () => {
  // Merging this text in one piece would take more than a minute.
  expect(await countTokens(`!${'\n/'.repeat(100_000)}`)).toBeGreaterThan(10_000);
});
