import type { ServerResponse } from 'node:http';
import { callerLimits } from '@errand/platform';
import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Received } from '../support/local-server.ts';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Receiver, startReceiver, wordOf } from './support/receiver.ts';

let provider: Provider;
let receiver: Receiver;
let service: TestService;

beforeAll(async () => {
  receiver = await startReceiver();
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: receiver.host, UPSTREAM_PATIENCE_SECONDS: '0' } }),
);
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer(200);
  provider.script(() => ({ text: 'ok' }));
});

const runEvents = ['run.succeeded', 'run.failed', 'run.awaiting_input'];

/** What a terminal would obey: of C0 and C1, what turns a line's direction, and what breaks it or cannot be seen. */
const controls = [
  ['line end', '\n'],
  ['escape', '\u001b[2J'],
  ['delete', '\u007f'],
  ['C1 escape', '\u009b2J'],
  ['Arabic mark', '\u061c'],
  ['override', '\u202e'],
  ['isolate', '\u2066'],
  ['line separator', '\u2028'],
  ['byte order mark', '\ufeff'],
] as const;

interface Made {
  id: string;
  secret: string;
}

async function makeWebhook(key: string, more: object = {}): Promise<Made> {
  const body = { url: `${receiver.url}/hook`, events: runEvents, ...more };
  const response = await service.post('/v1/webhooks', body, { key });
  expect(response.status).toBe(201);
  return (await response.json()) as Made;
}

const deliveriesOf = async (key: string, id: string) => {
  const response = await service.request(`/v1/webhooks/${id}/deliveries`, { key });
  return ((await response.json()) as { deliveries: Record<string, unknown>[] }).deliveries;
};

const headersOf = ({ headers }: Received) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
});

describe('the end of a run', () => {
  test('is told to the webhook of its key, signed so that standardwebhooks and openai accept it', async () => {
    const { key } = await service.newAccount();
    const { id, secret } = await makeWebhook(key);
    const agentId = await service.start({ question: 'Q?' }, key);
    const [told] = (await receiver.has(1)) as [Received];
    expect(wordOf(told)).toEqual({
      type: 'run.succeeded',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { agentId, status: 'succeeded' },
    });
    expect(told.headers).toMatchObject({ 'content-type': 'application/json' });
    const word = wordOf(told);
    expect(new Webhook(secret).verify(told.body, headersOf(told))).toEqual(word);
    const openai = new OpenAI({ apiKey: 'none', webhookSecret: secret });
    expect(await openai.webhooks.unwrap(told.body, headersOf(told))).toEqual(word);
    const wrong = told.body.replace('succeeded', 'failed');
    expect(() => new Webhook(secret).verify(wrong, headersOf(told))).toThrow();
    await eventually(() => deliveriesOf(key, id)).toEqual([
      {
        id: told.headers['webhook-id'],
        type: 'run.succeeded',
        status: 'succeeded',
        attempts: 1,
        createdAt: expect.any(String),
        lastAttemptAt: expect.any(String),
        response: { status: 200, body: 'answered 200' },
      },
    ]);
  });

  test.each([
    ['run.failed', 'failed', () => ({ status: 400 })],
    [
      'run.awaiting_input',
      'awaiting_input',
      () => ({
        calls: [
          {
            name: 'request_input',
            args: {
              message: 'Which?',
              expected: [{ name: 'documentUrl', type: 'string', description: 'it' }],
            },
          },
        ],
      }),
    ],
  ] as const)('is told as %s', async (type, status, script) => {
    const { key } = await service.newAccount();
    await makeWebhook(key);
    provider.script(script as never);
    const agentId = await service.start({ question: 'Q?' }, key);
    const [told] = (await receiver.has(1)) as [Received];
    expect(wordOf(told)).toMatchObject({ type, data: { agentId, status } });
  });

  test.each([
    ['what it asks', 1, true],
    ['no more than its id where that is long', 5, false],
  ])('is told with %s', async (_, count, isWhole) => {
    const { key } = await service.newAccount();
    await makeWebhook(key);
    const call = { name: 'publish', args: { text: 'x'.repeat(8_000) } };
    const calls = Array.from({ length: count }, () => call);
    provider.script(() => ({ calls }));
    const functions = [{ name: 'publish' }];
    const agentId = await service.start({ question: 'Q?', functions }, key);
    const [told] = (await receiver.has(1)) as [Received];
    const { asked, result } = (await service.read(agentId, key)) as { asked: object; result: string };
    const { data } = wordOf(told) as { data: object };
    const status = 'awaiting_input';
    expect(asked).toMatchObject({
      calls: calls.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) })),
    });
    expect(data).toEqual(isWhole ? { agentId, status, message: result, ...asked } : { agentId, status });
  });

  test('is told of a run that was cancelled', async () => {
    const { key } = await service.newAccount();
    await makeWebhook(key);
    provider.script(() => 'hang');
    const agentId = await service.start({ question: 'Q?' }, key);
    await service.post(`/v1/agents/runs/${agentId}/cancel`, {}, { key });
    const [told] = (await receiver.has(1)) as [Received];
    expect(wordOf(told)).toMatchObject({ type: 'run.failed', data: { agentId, status: 'failed' } });
  });

  test('is told to nobody who did not ask for it, nor to another key, nor to a webhook that is off or gone', async () => {
    const { accountId, key } = await service.newAccount();
    const other = await service.newKey(accountId);
    await makeWebhook(key, { events: ['run.failed'], url: `${receiver.url}/failed-only` });
    await makeWebhook(other, { url: `${receiver.url}/other-key` });
    const off = await makeWebhook(key, { url: `${receiver.url}/off` });
    const patched = await service.request(`/v1/webhooks/${off.id}`, {
      method: 'PATCH',
      body: JSON.stringify({ enabled: false }),
      key,
    });
    expect(await patched.json()).toMatchObject({ enabled: false, disabledReason: 'owner' });
    const gone = await makeWebhook(key, { url: `${receiver.url}/gone` });
    expect((await service.request(`/v1/webhooks/${gone.id}`, { method: 'DELETE', key })).status).toBe(204);
    await makeWebhook(key, { url: `${receiver.url}/mine` });
    await service.follow(await service.start({ question: 'Q?' }, key), { key });
    await receiver.has(1);
    await service.follow(await service.start({ question: 'Q?' }, other), { key: other });
    await receiver.has(2);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/mine', '/other-key']);
  });

  test('is told to the address that the run names, signed by the key’s oldest webhook', async () => {
    const { key } = await service.newAccount();
    const asking = { question: 'Q?', webhookUrl: `${receiver.url}/run` };
    const without = await service.post('/v1/agents/runs', asking, { key });
    expect([without.status, await without.text()]).toEqual([
      400,
      'webhookUrl: needs a webhook of this key, whose secret signs: make one with POST /v1/webhooks',
    ]);
    const { id, secret } = await makeWebhook(key, { events: ['run.failed'] });
    await makeWebhook(key, { url: `${receiver.url}/second` });
    const agentId = await service.start(asking, key);
    await receiver.has(2);
    const own = receiver.received.find(({ path }) => path === '/run')!;
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/run', '/second']);
    expect(new Webhook(secret).verify(own.body, headersOf(own))).toMatchObject({ data: { agentId } });
    await eventually(() => deliveriesOf(key, id)).toMatchObject([
      { id: `${own.headers['webhook-id']}-run`, status: 'succeeded', url: asking.webhookUrl },
    ]);
  });

  test.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://user:pass@example.com/',
    'ftp://example.com/',
  ])('is not told to %s', async (webhookUrl) => {
    const { key } = await service.newAccount();
    await makeWebhook(key);
    const refused = await service.post('/v1/agents/runs', { question: 'Q?', webhookUrl }, { key });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/^webhookUrl: /)]);
  });
});

test.each(controls)('a webhook, and a run’s own address, have no %s', async (_, control) => {
  const { key } = await service.newAccount();
  const fine = { url: `${receiver.url}/hook`, events: ['run.failed'], description: 'a line\n\tand another' };
  const { id } = await makeWebhook(key, fine);
  const url = `https://example.com/a${control}b`;
  const problem = 'cannot be used: the URL has control characters';
  const asked = await service.post('/v1/agents/runs', { question: 'Q?', webhookUrl: url }, { key });
  expect([asked.status, await asked.text()]).toEqual([400, `webhookUrl: ${problem}`]);
  const wrong: [object, string][] = [[{ url }, `url: ${problem}`]];
  if (control !== '\n')
    wrong.push([{ description: `a${control}b` }, 'description: must not have control characters']);
  for (const [field, told] of wrong) {
    const made = await service.post('/v1/webhooks', { ...fine, ...field }, { key });
    expect([made.status, await made.text()]).toEqual([400, told]);
    const body = JSON.stringify(field);
    const changed = await service.request(`/v1/webhooks/${id}`, { method: 'PATCH', body, key });
    expect([changed.status, await changed.text()]).toEqual([400, told]);
  }
});

describe('a delivery', () => {
  test('is sent again with the same id when its owner asks, and a test event is sent at once', async () => {
    const { key } = await service.newAccount();
    const { id, secret } = await makeWebhook(key);
    const tested = await service.post(`/v1/webhooks/${id}/test`, {}, { key });
    expect(tested.status).toBe(202);
    const [told] = (await receiver.has(1)) as [Received];
    expect(wordOf(told)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    await eventually(() => deliveriesOf(key, id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    const deliveryId = String(told.headers['webhook-id']);
    const again = await service.post(`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`, {}, { key });
    expect([again.status, await again.json()]).toMatchObject([202, { id: deliveryId, status: 'pending' }]);
    const [, second] = (await receiver.has(2)) as [Received, Received];
    expect(second.headers['webhook-id']).toBe(deliveryId);
    new Webhook(secret).verify(second.body, headersOf(second));
    await eventually(() => deliveriesOf(key, id)).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
  });

  test('is signed by both secrets after a rotation', async () => {
    const { key } = await service.newAccount();
    const { id, secret } = await makeWebhook(key);
    const rotated = (await (await service.post(`/v1/webhooks/${id}/rotate`, {}, { key })).json()) as Made & {
      previousSecretUntil: string;
    };
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.previousSecretUntil) - Date.now()).toBeGreaterThan(86_000_000);
    await service.post(`/v1/webhooks/${id}/test`, {}, { key });
    const [told] = (await receiver.has(1)) as [Received];
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(told.body, headersOf(told));
  });

  test('to slow receivers, however many of one account, does not delay other deliveries', async () => {
    const [slow, quick] = [await service.newAccount(), await service.newAccount()];
    const hung: Made[] = [];
    for (let i = 0; i < 10; i++) hung.push(await makeWebhook(slow.key, { url: `${receiver.url}/slow-${i}` }));
    const fine = await makeWebhook(quick.key, { url: `${receiver.url}/quick` });
    const waiting: ServerResponse[] = [];
    receiver.answer((response, { path }) => {
      if (path === '/quick') response.writeHead(204).end();
      else waiting.push(response);
    });
    const tests = Array.from({ length: 150 }, (_, i) =>
      service.post(`/v1/webhooks/${hung[i % 10]!.id}/test`, {}, { key: slow.key }),
    );
    await Promise.all(tests);
    await receiver.has(callerLimits.webhookAttemptsPerHost);
    const { webhookAttemptsPerHost, webhookMilliseconds } = callerLimits;
    const askedAt = performance.now();
    await service.post(`/v1/webhooks/${fine.id}/test`, {}, { key: quick.key });
    await eventually(() => receiver.received.some(({ path }) => path === '/quick')).toBe(true);
    // The 150 take this long, so many at a time.
    expect(performance.now() - askedAt).toBeLessThan((150 / webhookAttemptsPerHost) * webhookMilliseconds);
    const open = waiting.filter(({ destroyed }) => !destroyed);
    expect(open.length).toBeLessThanOrEqual(webhookAttemptsPerHost);
    receiver.answer(200);
    for (const response of waiting) response.end();
  });
});
