import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';
import {
  type ChatService,
  chatCatalogue,
  readChunks,
  secretKey,
  startChatService,
} from './support/chat-service.ts';
import { answersPlainly, chunk, done, event, hello, streams } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let second: ScriptedUpstream;
let alone: ChatService;
let backed: ChatService;
let address: string;

beforeAll(async () => {
  upstream = await startUpstream();
  second = await startUpstream();
  alone = await startChatService(chatCatalogue(upstream.baseUrl));
  backed = await startChatService(chatCatalogue(upstream.baseUrl, [second.baseUrl]));
  address = new URL(upstream.baseUrl).host + new URL(upstream.baseUrl).pathname;
});
beforeEach(() => {
  second.script(() => expect.unreachable('the fallback was not to be asked'));
  alone.log.length = 0;
  // An upstream that failed in other tests is asked again, and an error of the set-up is a line of the log again.
  backed.clock.advance(limits.upstreamLeftOutMilliseconds + limits.sameFailureMilliseconds);
});
afterAll(async () => {
  await Promise.all([alone, backed, upstream, second].map((part) => part.close()));
});

const question = { model: 'writer', messages: [{ role: 'user', content: 'Say hello' }] };
const complaint = {
  error: {
    message: `Incorrect API key provided: ${secretKey}`,
    type: 'x',
    code: secretKey,
    param: secretKey,
  },
};
const refuse =
  (status: number, body: unknown = complaint): UpstreamScript =>
  (wire) =>
    wire.json(status, body, { 'Retry-After': '7' });

const passing: [string, UpstreamScript][] = [
  ['429', refuse(429)],
  ['500', refuse(500)],
  ['503', refuse(503, 'Service Unavailable')],
  ['a connection that is reset', (wire) => wire.reset()],
  ['a connection that is closed', (wire) => wire.end()],
];
const passingForStreams: [string, UpstreamScript][] = [
  ['a 200 that ends at once', streams()],
  ['a 200 with nothing but [DONE]', streams(done)],
  ['a 200 whose first event is an error', streams(event(complaint))],
  ['a 200 that comments and then dies', streams(': ping\n\n')],
];

describe.each([true, false])('with stream %s', (stream) => {
  const cases = stream ? [...passing, ...passingForStreams] : passing;

  test.each(cases)('%s before the first byte is a 503, and nothing is charged', async (_, script) => {
    upstream.script(script);
    const response = await alone.post({ ...question, stream });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.headers.get('ratelimit-limit')).toBe(String(limits.requestsPerWindow));
    expect(await response.json()).toEqual({ error: 'Service temporarily at capacity. Please retry.' });
    expect(await alone.ledger()).toHaveLength(1);
    expect(JSON.stringify(alone.log)).not.toContain(secretKey);
  });

  test.each(cases)('%s before the first byte is left to the fallback', async (_, script) => {
    upstream.script(script);
    second.script(stream ? hello : answersPlainly);
    const response = await backed.post({ ...question, stream });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"prompt_tokens":20');
    expect(second.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${secretKey}`]);
  });

  test('when all upstreams are busy the answer is a 503', async () => {
    upstream.script(refuse(429));
    second.script(refuse(502));
    expect((await backed.post({ ...question, stream })).status).toBe(503);
    expect([upstream.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  test.each([400, 413, 422])(
    '%d from the upstream becomes a 400 with its message, code and param',
    async (status) => {
      const error = {
        message: `upstream-writer takes 8192 tokens, ${secretKey}`,
        code: 'context_length_exceeded',
        param: 'messages[0]',
      };
      upstream.script(refuse(status, { error }));
      const response = await backed.post({ ...question, stream });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        error: {
          message: 'writer takes 8192 tokens, [removed]',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          param: 'messages[0]',
        },
      });
    },
  );

  test('a refusal is logged in one line that names the upstream and has no text of the caller', async () => {
    const error = { message: 'Not allowed: "Say hello"', code: 'content_filter' };
    upstream.script(refuse(400, { error }));
    const response = await backed.post({ ...question, stream });
    expect(await response.json()).toMatchObject({ error: { message: 'Not allowed: "Say hello"' } });
    expect(backed.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'upstream refused the request',
        model: 'writer',
        address,
        status: 400,
        code: 'content_filter',
        requestId: response.headers.get('X-Request-Id'),
      }),
    );
    expect(JSON.stringify(backed.log)).not.toContain('Say hello');
  });

  test.each([
    ['a page', '<html><body>400</body></html>'],
    ['nothing', ''],
    ['a key alone', { error: secretKey }],
  ])('a refusal that says %s is replaced by a sentence of the service', async (_, body) => {
    upstream.script(refuse(400, body));
    expect(await (await alone.post({ ...question, stream })).json()).toEqual({
      error: {
        message: 'The model did not accept the request.',
        type: 'invalid_request_error',
        code: null,
        param: null,
      },
    });
  });

  test('neither words nor secrets of an upstream reach the caller as code or param', async () => {
    upstream.script(refuse(400));
    const response = await alone.post({ ...question, stream });
    expect(await response.json()).toMatchObject({ error: { code: null, param: null } });
    upstream.script(refuse(400, { error: { code: 'Your key is wrong', param: 42 } }));
    expect(await (await alone.post({ ...question, stream })).json()).toMatchObject({
      error: { code: null, param: null },
    });
  });

  test.each([401, 403, 404])('%d from the upstream becomes a 503 and an error in the log', async (status) => {
    upstream.script(refuse(status));
    const response = await backed.post({ ...question, stream });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: expect.stringContaining('is not set up') });
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(backed.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'upstream does not accept our set-up',
        status,
        model: 'writer',
        apiKeyEnv: 'KEY',
        requestId: response.headers.get('X-Request-Id'),
        accountId: expect.any(String),
      }),
    );
    expect(JSON.stringify(backed.log)).not.toContain(secretKey);
  });
});

test('an upstream that fails after the first byte is not replaced by its fallback', async () => {
  upstream.script(streams(event(chunk({ content: 'Hel' }))));
  const stream = readChunks(await (await backed.post({ ...question, stream: true })).text());
  expect(stream.text).toBe('Hel');
  expect(stream.chunks.at(-1)?.error).toMatchObject({ type: 'server_error', code: 'upstream_failed' });
  expect(backed.log).toContainEqual(
    expect.objectContaining({ message: 'upstream failed', model: 'writer', address, failure: 'broken' }),
  );
});

test.each([
  ['at once', [], () => alone],
  ['after the first byte', [event(chunk({ content: 'Hel' }))], () => backed],
])('an error in a stream %s is logged with its code, without its words', async (_, before, askedService) => {
  const asked = askedService();
  const error = { message: `Overloaded: ${secretKey}`, type: 'overloaded_error' };
  upstream.script(streams(...before, event({ error })));
  asked.clock.advance(limits.sameFailureMilliseconds);
  const sent = await (await asked.post({ ...question, stream: true })).text();
  expect(sent).toContain(before.length === 0 ? 'at capacity' : 'upstream_failed');
  expect(asked.log).toContainEqual(
    expect.objectContaining({ message: 'upstream failed', failure: 'broken', code: 'overloaded_error' }),
  );
  expect(JSON.stringify(asked.log)).not.toContain(secretKey);
});

test.each([true, false])(
  'a page in place of an answer (stream: %s) is logged as unreadable',
  async (stream) => {
    upstream.script(async (wire) => {
      await wire.head(200, { 'Content-Type': 'text/html' });
      await wire.send('<!doctype html><html><body>Welcome</body></html>');
      wire.end();
    });
    alone.clock.advance(limits.sameFailureMilliseconds);
    expect((await alone.post({ ...question, stream })).status).toBe(503);
    expect(alone.log).toContainEqual(
      expect.objectContaining({
        message: 'upstream failed',
        model: 'writer',
        address,
        failure: 'unreadable',
      }),
    );
  },
);

test.each([true, false])(
  'a model that the provider does not have (stream: %s) gets a 503',
  async (stream) => {
    const error = { message: 'upstream-writer is not a valid model ID', code: 'model_not_found' };
    upstream.script(refuse(400, { error }));
    const response = await backed.post({ ...question, stream });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('valid model');
    expect(backed.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'upstream does not accept our set-up',
        address,
        status: 400,
        code: 'model_not_found',
      }),
    );
  },
);

test('a plain answer that cannot be read is a 503, and nothing is charged', async () => {
  for (const body of ['<html>', '[]', 'null', '{"choices":{}}', '{"choices":[],"error":{"message":"no"}}']) {
    upstream.script((wire) => wire.json(200, body));
    expect((await alone.post(question)).status).toBe(503);
  }
  expect(await alone.ledger()).toHaveLength(1);
});
