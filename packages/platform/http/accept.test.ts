import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { preferredType } from './accept.ts';

const json = 'application/json';
const markdown = 'text/markdown';
const app = new Hono().get('/', (c) => c.text(preferredType(c, [json, markdown])));

test.each([
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['text/html, application/xhtml+xml, */*;q=0.8', json],
  ['image/png', json],
  [json, json],
  [markdown, markdown],
  ['Text/Markdown', markdown],
  ['text/markdown; charset=utf-8', markdown],
  ['text/*', markdown],
  ['text/*, */*;q=0.1', markdown],
  ['text/markdown, application/json', markdown],
  ['application/json, text/markdown', json],
  ['text/markdown, */*', markdown],
  ['*/*, text/markdown', markdown],
  ['text/markdown;q=0.5, */*;q=0.5', markdown],
  ['text/markdown;q=0.1, */*', json],
  ['*/*, text/markdown;q=0.1', json],
  ['text/markdown;q=0.1, application/*', json],
  ['text/markdown;q=0.5, application/json', json],
  ['text/markdown;q=0.9, application/json;q=0.8', markdown],
  ['text/markdown;q=0.9, */*;q=0.8', markdown],
  ['application/json;q=0.2, */*', markdown],
  ['application/json;q=0.5, text/*', markdown],
  ['application/*;q=0.2, */*;q=0.8', markdown],
  ['text/markdown;q=0, */*', json],
  ['text/*;q=0, */*', json],
  ['application/json;q=0, */*', markdown],
  ['text/markdown;q=0', json],
  ['text/markdown;q=0, application/json;q=0', json],
])('Accept: %s is answered with %s', async (accept, type) => {
  const response = await app.request('/', { headers: accept === undefined ? {} : { Accept: accept } });
  expect(await response.text()).toBe(type);
});
