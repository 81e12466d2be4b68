import { expect, test, vi } from 'vitest';
import type { ScriptedUpstream, Wire } from '../support/scripted-upstream.ts';
import type { ChatService } from './support/chat-service.ts';
import { chunk, event } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const isNew = (before: readonly { id: string }[]) => (entry: { id: string }) =>
  !before.some(({ id }) => id === entry.id);

const question = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Say hello' }] };

test('a client that leaves a stream stops the upstream, and pays for what was delivered', async () => {
  const before = (await service.ledger()).length;
  const arrived = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    await wire.send(event(chunk({ content: 'Hello' })));
    arrived.resolve(wire);
  });
  const client = new AbortController();
  const response = await service.post(question, { signal: client.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  client.abort();
  await (await arrived.promise).closed;
  const ledger = await vi.waitFor(async () => {
    const entries = await service.ledger();
    expect(entries).toHaveLength(before + 1);
    return entries;
  }, 60_000);
  expect(ledger.find(({ kind }) => kind === 'completion')).toMatchObject({
    inputTokens: 9,
    outputTokens: 1,
    amountNanoEuro: -11_000,
    brokenOff: true,
  });
});

test.each([true, false])(
  'a client that leaves after the provider has its request pays for its input (stream %s)',
  async (stream) => {
    const before = await service.ledger();
    const arrived = Promise.withResolvers<Wire>();
    upstream.script((wire) => arrived.resolve(wire));
    const client = new AbortController();
    const response = service.post({ ...question, stream }, { signal: client.signal });
    const wire = await arrived.promise;
    client.abort();
    await expect(response).rejects.toThrow('abort');
    await wire.closed;
    await vi.waitFor(async () => expect(await service.ledger()).toHaveLength(before.length + 1), 60_000);
    expect((await service.ledger()).find(isNew(before))).toMatchObject({
      inputTokens: 9,
      outputTokens: 0,
      amountNanoEuro: -9_000,
      brokenOff: true,
    });
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  },
);

test('a client that leaves before a provider has its request pays nothing', async () => {
  const before = await service.ledger();
  upstream.script(() => {});
  const client = new AbortController();
  const held = service.holdCommand('UpdateItemCommand');
  const response = service.post({ ...question, stream: false }, { signal: client.signal });
  await held.asked;
  client.abort();
  await expect(response).rejects.toThrow('abort');
  held.open();
  await vi.waitFor(async () => {
    const { balanceNanoEuro, availableNanoEuro, holds } = await service.purse();
    expect([availableNanoEuro, holds.size]).toEqual([balanceNanoEuro, 0]);
  }, 60_000);
  expect(upstream.requests).toEqual([]);
  expect(await service.ledger()).toEqual(before);
});
