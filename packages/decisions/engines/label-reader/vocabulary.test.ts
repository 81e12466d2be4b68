import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vocabularyOf } from './vocabulary.ts';

let server: Server;

// A server with a real tokenizer, which joins signs and colons to the line ends after them.
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as { prompt: string };
    const tokens = encode(body.prompt);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ tokens, count: tokens.length, max_model_len: 32_768 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

test('o200k has 255 labels of one token, and something else to fill the slots with', async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { labels, placeholder, separator } = await vocabularyOf({ baseUrl, model: 'made' });
  expect(labels.length).toBeGreaterThanOrEqual(255);
  for (const { text, id } of labels.slice(0, 255)) expect(decode([id])).toBe(` ${text}`);
  expect(labels.some(({ id }) => id === placeholder.id)).toBe(false);
  expect(decode(separator)).toMatch(/^\n1:$/);
});
