import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  createApp,
  DomainError,
  errorHandler,
  type HttpEnv,
  limits,
  plainErrors,
  silentLog,
} from '@errand/platform';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { createKey } from './create-key.ts';
import type { AccountsDeps } from './deps.ts';
import { countUnrouted, requireKey } from './edge.ts';
import { newApiKey } from './key.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

/** An app with its own error answers, mounted into the service's app as every package's routes are. */
function serveApp(deps: AccountsDeps) {
  const room = new Hono<HttpEnv>();
  room.onError(errorHandler(silentLog, plainErrors));
  room.get('/who', requireKey(deps), (c) => c.json(c.var.principal));
  room.post('/who', requireKey(deps), (c) => c.json(c.var.principal));
  room.get('/raw', requireKey(deps), () => new Response('raw', { headers: { 'X-Own': 'kept' } }));
  room.get('/refused', requireKey(deps), () => {
    throw new DomainError('no_credits', { available: '0', needed: '1' });
  });
  room.get('/broken', requireKey(deps), () => {
    throw new Error('broken');
  });
  const app = createApp({ log: silentLog, countUnrouted: countUnrouted(deps) });
  app.route('/', room);
  return app;
}

function serve(deps: AccountsDeps) {
  const app = serveApp(deps);
  return (path: string, key?: string, method = 'GET') =>
    app.request(path, { method, headers: key ? { Authorization: `Bearer ${key}` } : {} });
}

const rateOf = (response: Response) => ({
  policy: response.headers.get('RateLimit-Policy'),
  limit: response.headers.get('RateLimit-Limit'),
  remaining: response.headers.get('RateLimit-Remaining'),
  reset: response.headers.get('RateLimit-Reset'),
});

test('a request without a known key gets a plain 401 with no rate headers', async () => {
  const request = serve(testAccounts(dynamo));
  for (const key of [undefined, 'nonsense', newApiKey()]) {
    const response = await request('/who', key);
    expect(response.status).toBe(401);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('Unauthorized');
    expect(response.headers.get('RateLimit-Limit')).toBeNull();
  }
});

test('a key in X-Api-Key is the same key: its account has the same window, on unknown paths too', async () => {
  const deps = testAccounts(dynamo);
  const { key, accountId } = await newTestAccount(deps);
  const app = serveApp(deps);
  const ask = (path: string, headers: Record<string, string>) => app.request(path, { headers });
  const bearer = await ask('/who', { Authorization: `Bearer ${key}` });
  const bare = await ask('/who', { 'X-Api-Key': key });
  const unknown = await ask('/unknown', { 'X-Api-Key': key });
  expect([bearer, bare, unknown].map((response) => rateOf(response).remaining)).toEqual(
    [1, 2, 3].map((asked) => String(limits.requestsPerWindow - asked)),
  );
  expect(await bare.json()).toMatchObject({ accountId });
});

test.each([
  ['/who', 200],
  ['/raw', 200],
  ['/refused', 402],
  ['/broken', 500],
  ['/unknown', 404],
])('%s answers %i with the rate headers and the request id', async (path, status) => {
  const deps = testAccounts(dynamo, { rateLimitRequests: limits.requestsPerWindow });
  const { key } = await newTestAccount(deps);
  deps.clock.advance((limits.windowSeconds * 1000) / 4 + 500);
  const response = await serve(deps)(path, key);
  expect(response.status).toBe(status);
  // A quarter of the window is over.
  expect(rateOf(response)).toEqual({
    policy: `${limits.requestsPerWindow};w=${limits.windowSeconds}`,
    limit: String(limits.requestsPerWindow),
    remaining: String(limits.requestsPerWindow - 1),
    reset: String((limits.windowSeconds * 3) / 4),
  });
  expect(response.headers.get('Retry-After')).toBeNull();
  expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  if (path === '/raw') expect(response.headers.get('X-Own')).toBe('kept');
});

test('a request with a method that the path does not have is counted too', async () => {
  const deps = testAccounts(dynamo);
  const { key } = await newTestAccount(deps);
  const response = await serve(deps)('/who', key, 'DELETE');
  expect(response.status).toBe(405);
  expect(rateOf(response).remaining).toBe(String(limits.requestsPerWindow - 1));
});

test('every request past the limit is a 429 until the window ends, unknown paths included', async () => {
  const deps = testAccounts(dynamo, { rateLimitRequests: 2 });
  const { key } = await newTestAccount(deps);
  const request = serve(deps);
  deps.clock.advance(limits.windowSeconds * 1_000 - 1);
  expect((await request('/who', key)).status).toBe(200);
  expect((await request('/unknown', key)).status).toBe(404);
  for (const path of ['/who', '/raw', '/unknown']) {
    const response = await request(path, key);
    expect(response.status).toBe(429);
    expect(await response.text()).toBe('Too many requests, please try again later.');
    expect(rateOf(response)).toEqual({
      policy: `2;w=${limits.windowSeconds}`,
      limit: '2',
      remaining: '0',
      reset: '1',
    });
    expect(response.headers.get('Retry-After')).toBe('1');
  }
  deps.clock.advance(1);
  expect(rateOf(await request('/who', key))).toMatchObject({
    remaining: '1',
    reset: String(limits.windowSeconds),
  });
});

describe('while the store can be read but not written', () => {
  const failWrites = () => {
    const { dynamodb } = dynamo;
    const send = dynamodb.send.bind(dynamodb);
    const full = Object.assign(new Error('full'), { name: 'InternalServerError', $fault: 'server' });
    vi.spyOn(dynamodb, 'send').mockImplementation(((command: never) =>
      (command as unknown) instanceof UpdateCommand ? Promise.reject(full) : send(command)) as never);
    onTestFinished(() => void vi.restoreAllMocks());
  };

  test('a request that only reads is answered, within the rate that was counted before', async () => {
    const deps = testAccounts(dynamo, { rateLimitRequests: 3 });
    const { key } = await newTestAccount(deps);
    const request = serve(deps);
    await request('/who', key);
    failWrites();
    for (let asked = 0; asked < 3; asked++) {
      const response = await request('/who', key);
      expect([response.status, rateOf(response).remaining]).toEqual([200, '1']);
    }
  });

  test('an account that has used up its window is refused, and so is every request that writes', async () => {
    const deps = testAccounts(dynamo, { rateLimitRequests: 1 });
    const { key } = await newTestAccount(deps);
    const request = serve(deps);
    await request('/who', key);
    failWrites();
    expect((await request('/who', key)).status).toBe(429);
    expect((await request('/who', key, 'POST')).status).toBe(503);
  });
});

test('the keys of an account share its window; requests of other accounts and unknown keys do not count', async () => {
  const deps = testAccounts(dynamo, { rateLimitRequests: 3 });
  const request = serve(deps);
  const mine = await newTestAccount(deps);
  const other = await newTestAccount(deps);
  const second = await createKey(deps, { accountId: mine.accountId, label: 'second' });
  await request('/who', newApiKey());
  await request('/unknown', newApiKey());
  expect(rateOf(await request('/who', mine.key)).remaining).toBe('2');
  expect(rateOf(await request('/who', second.key)).remaining).toBe('1');
  expect(rateOf(await request('/who', other.key)).remaining).toBe('2');
});

test('simultaneous requests are all counted, and no more pass than the limit allows', async () => {
  const deps = testAccounts(dynamo, { rateLimitRequests: 20 });
  const { key } = await newTestAccount(deps);
  const request = serve(deps);
  const answers = await Promise.all(Array.from({ length: 30 }, () => request('/who', key)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('key and rate cost two DynamoDB requests, and one while the key is remembered', async () => {
  const deps = testAccounts(dynamo);
  const { key } = await newTestAccount(deps);
  const request = serve(deps);
  const before = dynamo.requests();
  await request('/who', key);
  expect(dynamo.requests() - before).toBe(2);
  await request('/who', key);
  expect(dynamo.requests() - before).toBe(3);
});

test('a preflight needs no key and is not counted', async () => {
  const deps = testAccounts(dynamo);
  const before = dynamo.requests();
  expect((await serve(deps)('/who', undefined, 'OPTIONS')).status).toBe(204);
  expect(dynamo.requests()).toBe(before);
});
