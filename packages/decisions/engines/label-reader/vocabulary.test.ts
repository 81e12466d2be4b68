import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, sendJson, serve } from '../../../../test/support/local-server.ts';
import { vocabularyOf } from './vocabulary.ts';

let server: LocalServer;

// A server with a real tokenizer, which joins signs and colons to the line ends after them.
beforeAll(async () => {
  server = await serve(({ body }, response) => {
    const tokens = encode(JSON.parse(body).prompt);
    sendJson(response, 200, { tokens, count: tokens.length, max_model_len: 32_768 });
  });
});
afterAll(() => server.close());

test('o200k has 255 labels of one token, and something else to fill the slots with', async () => {
  const baseUrl = `${server.url}/v1`;
  const { labels, placeholder, separator } = await vocabularyOf({ baseUrl, model: 'made' });
  expect(labels.length).toBeGreaterThanOrEqual(255);
  for (const { text, id } of labels.slice(0, 255)) expect(decode([id])).toBe(` ${text}`);
  expect(labels.some(({ id }) => id === placeholder.id)).toBe(false);
  expect(decode(separator)).toMatch(/^\n1:$/);
});
