import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';

/**
 * The least that a metering proxy in Node can be: Hono for the route, a key and a rate in memory, node:http to the
 * upstream, a search for the usage, raw writes, an entry in a list. It has no store.
 */
const upstream = new URL(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true });
const rate = new Map<string, number>();
const ledger: { usage: string; at: number }[] = [];

const app = new Hono<{ Bindings: HttpBindings }>();
app.post('/v1/chat/completions', async (c) => {
  const key = c.req.header('Authorization') ?? '';
  if (key !== 'Bearer lean') return c.text('Unauthorized', 401);
  rate.set(key, (rate.get(key) ?? 0) + 1);
  const { outgoing } = c.env;
  const body = JSON.parse(await c.req.text());
  const text = JSON.stringify({ ...body, stream_options: { include_usage: true } });
  await new Promise<void>((resolve) => {
    const request = http.request(
      {
        host: upstream.hostname,
        port: upstream.port,
        path: '/v1/chat/completions',
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      (response) => {
        let last = '';
        outgoing.writeHead(response.statusCode ?? 502, {
          'content-type': response.headers['content-type'] ?? '',
        });
        response.on('data', (packet: Buffer) => {
          const piece = packet.toString('utf8');
          if (piece.includes('"usage"')) last = piece;
          outgoing.write(packet);
        });
        response.on('end', () => {
          ledger.push({ usage: last, at: Date.now() });
          if (ledger.length > 1_000) ledger.length = 0;
          outgoing.end();
          resolve();
        });
      },
    );
    request.end(text);
  });
  const sent = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // @hono/node-server's lightweight Response (2.1) would be written anyway; reading this makes it a real one.
  void sent.type;
  return sent;
});

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => {
  process.stdout.write(`ready ${(info as AddressInfo).port}\n`);
});
