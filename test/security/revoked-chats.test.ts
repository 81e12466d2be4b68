import { createKey, revokeKey } from '@errand/accounts';
import type { LedgerEntry } from '@errand/money';
import { createAwsClients, limits, localCredentials, localRegion } from '@errand/platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { readChunks } from '../chat/support/chat-service.ts';
import { chunk, done, event } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import type { ScriptedUpstream, Wire } from '../support/scripted-upstream.ts';
import { type HeldTime, heldTime } from './support/held-time.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
let time: HeldTime;
useChat((chat) => {
  ({ upstream, service } = chat);
  time = heldTime(service.clock);
});

const question = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Say hello' }] };
const newKey = () => createKey(service.deps.accounts, { accountId: service.accountId, label: 'chat' });

/** A provider that has the request is paid, though nothing came of it. */
async function expectInputCharged(before: readonly LedgerEntry[]): Promise<void> {
  const ledger = await service.ledger();
  const added = ledger.filter(({ id }) => !before.some((entry) => entry.id === id));
  expect(added).toMatchObject([{ inputTokens: 9, outputTokens: 0, brokenOff: true }]);
}

/** As another process would. */
async function revoke(keyId: string): Promise<void> {
  const endpoints = { dynamodb: service.dynamo.endpoint };
  const { dynamodb } = createAwsClients({ region: localRegion, credentials: localCredentials, endpoints });
  await revokeKey({ dynamodb, tables: service.dynamo.tables, clock: service.clock }, keyId);
  dynamodb.destroy();
}

/** Starts a stream of two chunks whose upstream then waits. */
async function startChat(key: string) {
  const arrived = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    await wire.send(event(chunk({ content: 'Hel' })), event(chunk({ content: 'lo' })));
    arrived.resolve(wire);
  });
  const response = await service.post(question, { key });
  return { response, wire: await arrived.promise };
}

test('a stream whose key is revoked ends as a broken one does, with what was delivered charged; other keys go on', async () => {
  const before = (await service.ledger()).length;
  const [old, other] = [await newKey(), await newKey()];
  const ending = await startChat(old.key);
  const staying = await startChat(other.key);
  await revoke(old.keyId);
  time.advance(limits.keyCheckMilliseconds);
  const { chunks, text, done: isDone } = readChunks(await ending.response.text());
  await ending.wire.closed;
  expect([text, isDone]).toEqual(['Hello', true]);
  expect(chunks.find(({ usage }) => usage)).toMatchObject({ usage: { prompt_tokens: 9 }, impact: {} });
  expect(chunks.at(-1)?.error).toEqual({
    message: 'This API key does not work any more.',
    type: 'invalid_request_error',
    param: null,
    code: 'unauthorized',
  });
  const ledger = await service.ledger();
  expect(ledger).toHaveLength(before + 1);
  expect(ledger.find(({ kind }) => kind === 'completion')).toMatchObject({ inputTokens: 9, outputTokens: 1 });
  time.advance(10 * limits.keyCheckMilliseconds);
  await staying.wire.send(event(chunk({}, 'stop')), done);
  const whole = readChunks(await staying.response.text());
  expect([whole.text, whole.chunks.some(({ error }) => error)]).toEqual(['Hello', false]);
  expect(time.timers()).toBe(0);
});

test.each([true, false])(
  'a completion whose upstream is silent when its key is revoked is a 401, and its input is charged (stream %s)',
  async (stream) => {
    const before = await service.ledger();
    const { key, keyId } = await newKey();
    const arrived = Promise.withResolvers<Wire>();
    upstream.script((wire) => arrived.resolve(wire));
    const answering = service.post({ ...question, stream }, { key });
    const wire = await arrived.promise;
    await revoke(keyId);
    time.advance(limits.keyCheckMilliseconds);
    const response = await answering;
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
    await wire.closed;
    await expectInputCharged(before);
    expect(time.timers()).toBe(0);
  },
);

test('a stream that began without a chunk ends with the same error line when its key is revoked, and its input is charged', async () => {
  const before = await service.ledger();
  const { key, keyId } = await newKey();
  const arrived = Promise.withResolvers<Wire>();
  upstream.script((wire) => arrived.resolve(wire));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answering = service.post(question, { key });
  const wire = await arrived.promise;
  vi.advanceTimersByTime(limits.streamFirstByteMilliseconds);
  const response = await answering;
  vi.useRealTimers();
  await revoke(keyId);
  time.advance(limits.keyCheckMilliseconds);
  const { chunks, comments, done: isDone } = readChunks(await response.text());
  expect([comments.length, chunks.map(({ error }) => error?.code), isDone]).toEqual([
    1,
    ['unauthorized'],
    true,
  ]);
  await wire.closed;
  await expectInputCharged(before);
});

test('a hundred streams of one key together read the key once every 4 s, and not before', async () => {
  const { key } = await newKey();
  const streams = [];
  for (let i = 0; i < 100; i++) streams.push(await startChat(key));
  // One timer checks the key, and one for each stream renews its reservation.
  expect(time.timers()).toBe(1 + streams.length);
  const before = service.dynamo.requests();
  time.advance(limits.keyCheckMilliseconds - 1);
  expect(service.dynamo.requests()).toBe(before);
  time.advance(1);
  time.advance(limits.keyCheckMilliseconds);
  expect(service.dynamo.requests()).toBe(before + 2);
  for (const { wire } of streams) await wire.send(event(chunk({}, 'stop')), done);
  for (const { response } of streams) expect(readChunks(await response.text()).text).toBe('Hello');
  expect(time.timers()).toBe(0);
});
