import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@errand/platform';
import { beforeAll, expect, test } from 'vitest';
import { type CheckExchange, createExchangeCheck } from '../support/document/check-exchange.ts';
import { type Exchange, watchAnswers } from '../support/document/watch-answers.ts';
import { describedApp } from '../support/openapi-document.ts';

let check: CheckExchange;

beforeAll(async () => {
  check = createExchangeCheck(await describedApp());
});

const headers = {
  'x-request-id': 'r',
  'ratelimit-policy': `${limits.requestsPerWindow};w=${limits.windowSeconds}`,
  'ratelimit-limit': `${limits.requestsPerWindow}`,
  'ratelimit-remaining': `${limits.requestsPerWindow - 1}`,
  'ratelimit-reset': '312',
  'content-type': 'application/json',
};

const page = {
  events: [{ id: 1, at: '2026-11-21T10:00:00.000Z', event: { type: 'done', finalText: 'a' } }],
  more: false,
};

const exchange = (body: unknown, more: Partial<Exchange> = {}): Exchange => ({
  method: 'GET',
  url: '/v1/agents/runs/a/events?limit=5',
  requestType: undefined,
  requestBody: undefined,
  status: 200,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  complete: true,
  ...more,
});

const stream = {
  url: '/v1/agents/runs/a/stream',
  headers: { ...headers, 'content-type': 'text/event-stream' },
};

const newRun = (body: string): Exchange =>
  exchange(
    { agentId: 'a', status: 'queued' },
    {
      method: 'POST',
      url: '/v1/agents/runs',
      status: 202,
      headers: { ...headers, 'x-credits-remaining': '1' },
      requestType: 'application/json',
      requestBody: Buffer.from(body),
    },
  );

test('an answer that the document describes passes', async () => {
  const described = [
    exchange(page),
    exchange('', { method: 'HEAD' }),
    exchange(
      'retry: 1000\n\nid: 1\nevent: done\ndata: {"type":"done","finalText":"a"}\n\n: keep-alive\n\n',
      stream,
    ),
    exchange({ error: 'Not found' }, { url: '/nowhere', status: 404 }),
    // A concrete path comes before a templated one, which would take the method.
    exchange(
      {},
      { method: 'PATCH', url: '/v1/agents/servers', status: 405, headers: { allow: 'GET, HEAD' } },
    ),
    newRun('{"question":"Why?","unknown":1}'),
  ];
  expect(await Promise.all(described.map(check))).toEqual(described.map(() => undefined));
});

test.each([
  ['a status', exchange(page, { status: 418 }), 'listRunEvents 418: the status is not described'],
  [
    'a type',
    exchange(page, { headers: { ...headers, 'content-type': 'text/html' } }),
    'text/html is not described',
  ],
  [
    'a missing header',
    exchange(page, { headers: { ...headers, 'ratelimit-reset': undefined as never } }),
    'RateLimit-Reset is missing',
  ],
  [
    'a wrong header',
    exchange(page, { headers: { ...headers, 'ratelimit-reset': 'soon' } }),
    'RateLimit-Reset is soon',
  ],
  ['a missing field', exchange({ events: [] }), "required property 'more'"],
  ['a wrong field deep inside', exchange({ ...page, more: 'no' }), '/more must be boolean'],
  ['a body that is no JSON', exchange('{'), 'listRunEvents 200'],
  ['a missing body', exchange(''), 'the body is missing'],
  ['an event', exchange('data: {"type":"dnoe"}\n\n', stream), 'streamRun 200'],
  ['a path', exchange({}, { url: '/v2/runs' }), '/v2/runs is not described'],
  ['a method', exchange({}, { method: 'PUT' }), 'PUT /v1/agents/runs/a/events?limit=5 is not described'],
  ['an accepted request', newRun('{"question":1}'), 'the request was accepted, but /question must be string'],
])('%s that the document does not describe is reported', async (_, undescribed, problem) => {
  expect(await check(undescribed)).toContain(problem);
});

test('an exchange is recorded with everything that was sent, however the server writes it', async () => {
  const server = createServer(async (request, response) => {
    await request.toArray();
    response.writeHead(201, { 'X-Own': '1' });
    response.write('a');
    response.end(Buffer.from('b'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const told = Promise.withResolvers<Exchange>();
  const stop = watchAnswers((seen) => seen.url === '/seen' && told.resolve(seen));
  await (await fetch(`http://127.0.0.1:${port}/seen`, { method: 'POST', body: 'sent' })).text();
  const { requestBody, body, ...seen } = await told.promise;
  stop();
  server.close();
  expect(seen).toMatchObject({ method: 'POST', status: 201, complete: true, headers: { 'x-own': '1' } });
  expect([requestBody?.toString(), body?.toString()]).toEqual(['sent', 'ab']);
});
