import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { DomainError, limits } from '@errand/platform';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ScriptedUpstream, Wire } from '../support/scripted-upstream.ts';
import { type ChatService, readChunks } from './support/chat-service.ts';
import { chunk, event } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

let shutdown: AbortController;
let arrived: PromiseWithResolvers<Wire>;
beforeEach(() => {
  shutdown = new AbortController();
  arrived = Promise.withResolvers();
  upstream.script((wire) => arrived.resolve(wire));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const messages = [{ role: 'user' as const, content: 'Say hello' }];

/** Asks a process that ends when `shutdown` aborts. */
const ask = async (stream: boolean): Promise<Response> =>
  service.app.request(
    '/v1/chat/completions',
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'writer', stream, messages }),
    },
    { shutdown: shutdown.signal },
  );

const end = () => shutdown.abort(new DomainError('stopping'));

/** A stream whose process ends after its first chunk. */
async function endAfterHello() {
  const answer = ask(true);
  const wire = await arrived.promise;
  await wire.head();
  await wire.send(event(chunk({ content: 'Hello' })));
  const body = (await answer).text();
  end();
  return { wire, ...readChunks(await body) };
}

describe('when the process or the invocation ends', () => {
  test('a stream gets what was delivered, its usage and impact, an error line and its end, and is charged', async () => {
    const before = (await service.ledger()).length;
    const { wire, text, chunks, done } = await endAfterHello();
    expect([text, done]).toEqual(['Hello', true]);
    expect(chunks.at(-2)).toMatchObject({
      usage: { prompt_tokens: 9, completion_tokens: 1 },
      impact: { version: expect.any(String) },
    });
    expect(chunks.at(-1)?.error).toMatchObject({ type: 'server_error', code: 'upstream_failed' });
    await wire.closed;
    const entries = await service.ledger();
    expect(entries).toHaveLength(before + 1);
    expect(entries.find(({ kind }) => kind === 'completion')?.amountNanoEuro).toBe(-11_000);
  });

  test('a charge that cannot be written is queued after one attempt, because there is no time for a retry', async () => {
    const { dynamodb } = service.deps.accounts;
    const send = dynamodb.send.bind(dynamodb);
    vi.spyOn(dynamodb, 'send').mockImplementation(((command: never) => {
      if ((command as unknown) instanceof TransactWriteCommand) throw new Error('no ledger');
      return send(command);
    }) as never);
    expect((await endAfterHello()).done).toBe(true);
    expect(service.deferred).toEqual([expect.objectContaining({ amountNanoEuro: 11_000 })]);
    expect(service.log.filter(({ message }) => message === 'ledger write failed')).toHaveLength(1);
  });

  test('a stream that has begun without a chunk gets an error line and its end, and costs nothing', async () => {
    const before = await service.ledger();
    const answer = ask(true);
    const wire = await arrived.promise;
    vi.advanceTimersByTime(limits.streamFirstByteMilliseconds);
    const body = (await answer).text();
    end();
    const { chunks, done } = readChunks(await body);
    expect(chunks).toEqual([{ error: expect.objectContaining({ code: 'at_capacity' }) }]);
    expect(done).toBe(true);
    await wire.closed;
    expect(await service.ledger()).toEqual(before);
  });

  test.each([true, false])(
    'a request that has no answer yet gets a 503 with Retry-After, and costs nothing (stream %s)',
    async (stream) => {
      const before = await service.ledger();
      const answer = ask(stream);
      const wire = await arrived.promise;
      end();
      const { status, headers, ...refused } = await answer.then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      }));
      expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
      expect(refused.body).toMatchObject({ error: { type: 'server_error', param: null, code: 'stopping' } });
      await wire.closed;
      expect(await service.ledger()).toEqual(before);
    },
  );

  test.each([true, false])('a request that comes later reaches no upstream (stream %s)', async (stream) => {
    end();
    expect((await ask(stream)).status).toBe(503);
    expect(upstream.requests).toEqual([]);
  });
});

test('the openai client does not retry a plain completion that the service gave up, since the provider bills it', async () => {
  const { chat } = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.key, maxRetries: 2 });
  const completion = chat.completions.create({ model: 'writer', messages }).catch((error: unknown) => error);
  await arrived.promise;
  vi.advanceTimersByTime(55_000);
  vi.useRealTimers();
  expect(await completion).toMatchObject({ status: 504, code: 'timeout' });
  expect(upstream.requests).toHaveLength(1);
});
