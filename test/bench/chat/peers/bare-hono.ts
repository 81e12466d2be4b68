import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';

/** The proxy that is written first: Hono's own helper, which is fetch with web streams. */
const upstream = process.argv[2] ?? '';
const app = new Hono();
app.all('*', (c) => proxy(upstream + c.req.path, c.req));

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => {
  process.stdout.write(`ready ${(info as AddressInfo).port}\n`);
});
