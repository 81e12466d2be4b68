import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { createApp } from './app.ts';
import type { HttpEnv } from './env.ts';
import { nextWithHeaders } from './headers.ts';

function serve() {
  const room = new Hono<HttpEnv>();
  room.onError((_, c) => c.text('refused', 500));
  room.use('/limited/*', (c, next) => nextWithHeaders(c, { 'RateLimit-Limit': '600' }, next));
  room.get('/limited/text', (c) => c.text('text'));
  room.get('/limited/raw', () => new Response('raw', { status: 201, headers: { 'X-Own': 'kept' } }));
  room.get('/limited/own', () => new Response('own', { headers: { 'RateLimit-Limit': '7' } }));
  const app = createApp({ log: silentLog });
  app.route('/', room);
  return (path: string) => app.request(path, { headers: { 'X-Request-Id': 'mine' } });
}

test.each(['/limited/text', '/limited/raw'])(
  '%s carries the headers that were set before its answer',
  async (path) => {
    const response = await serve()(path);
    expect(response.headers.get('RateLimit-Limit')).toBe('600');
    expect(response.headers.get('X-Request-Id')).toBe('mine');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  },
);

test('a response of the handler’s own making keeps its status, body and headers', async () => {
  const raw = await serve()('/limited/raw');
  expect([raw.status, await raw.text(), raw.headers.get('X-Own')]).toEqual([201, 'raw', 'kept']);
  expect((await serve()('/limited/own')).headers.get('RateLimit-Limit')).toBe('7');
});
