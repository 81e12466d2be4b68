import { expect, test } from 'vitest';
import { promptCache } from './prompt-cache.ts';

const system = { role: 'system', content: 'Be kind. '.repeat(2_000) };
const question = { role: 'user', content: 'How long is the bridge?' };

test('what a prompt shares with an earlier one of its conversation is cached, and a changed tool ends it', () => {
  const cache = promptCache();
  const request = { model: 'm', messages: [system, question], tools: [{ function: { name: 'a' } }] };
  expect(cache.cachedTokens(request, 4_000)).toBe(0);
  const longer = { ...request, messages: [...request.messages, { role: 'assistant', content: 'Wait.' }] };
  expect(cache.cachedTokens(longer, 4_010)).toBe(Math.floor((4_000 * 1) / 128) * 128);
  expect(cache.cachedTokens({ ...longer, tools: [{ function: { name: 'b' } }] }, 4_010)).toBe(0);
  const other = { ...request, messages: [system, { role: 'user', content: 'How old is it?' }] };
  expect(cache.cachedTokens(other, 4_000)).toBe(0);
});
