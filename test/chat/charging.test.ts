import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { showCredits } from '@errand/money';
import { createSkill } from '@errand/skills';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, readChunks, startChatService } from './support/chat-service.ts';
import { answersPlainly, hello } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  upstream = await startUpstream();
  service = await startChatService(chatCatalogue(upstream.baseUrl));
});
afterEach(() => {
  vi.restoreAllMocks();
  service.deferred.length = 0;
  service.log.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const question = (stream: boolean, more: object = {}) => ({
  model: 'writer',
  stream,
  messages: [{ role: 'user', content: 'Say hello' }],
  ...more,
});

/** Makes the next writes to the ledger fail. */
function failWrites(times: number): void {
  const { dynamodb } = service.deps.accounts;
  const send = dynamodb.send.bind(dynamodb);
  let left = times;
  vi.spyOn(dynamodb, 'send').mockImplementation(((command: never) => {
    if ((command as unknown) instanceof TransactWriteCommand && left-- > 0) throw new Error('no ledger');
    return send(command);
  }) as never);
}

describe.each([true, false])('with stream %s', (stream) => {
  const script = stream ? hello : answersPlainly;

  test.each([
    ['its key was seen', {}, {}, 2],
    ['its key was not seen', {}, {}, 3],
    ['the key of an organisation was seen', { subscription: true }, {}, 3],
    ['the key of an organisation was not seen', { subscription: true }, {}, 4],
    ['its key and its skill were seen', {}, { skills: 'brief' }, 2],
  ])(
    'a completion takes a request to the store to be let in and one to be settled: %s',
    async (when, account, more, expected) => {
      upstream.script(script);
      const { accounts, skills } = service.deps;
      const { key, accountId } = await newTestAccount(accounts, account);
      await createSkill(skills, { scope: 'user', accountId }, { name: 'brief', instructions: 'Be brief.' });
      const requestsOf = async () => {
        const before = service.dynamo.requests();
        const response = await service.post(question(stream, more), { key });
        expect(response.status).toBe(200);
        await response.text();
        return service.dynamo.requests() - before;
      };
      if (!when.includes('not')) await requestsOf();
      expect(await requestsOf()).toBe(expected);
    },
  );

  test('a skill that is not cached takes one more request to the store', async () => {
    upstream.script(script);
    const { accounts, skills } = service.deps;
    const { key, accountId } = await newTestAccount(accounts);
    await createSkill(skills, { scope: 'user', accountId }, { name: 'new', instructions: 'Be brief.' });
    await (await service.post(question(stream), { key })).text();
    const before = service.dynamo.requests();
    await (await service.post(question(stream, { skills: 'new' }), { key })).text();
    expect(service.dynamo.requests() - before).toBe(3);
  });

  test('the charge is in the ledger and the balance when the answer ends', async () => {
    upstream.script(script);
    const { accounts } = service.deps;
    const { key, accountId } = await newTestAccount(accounts, { credits: '1' });
    await (await service.post(question(stream), { key })).text();
    const { balanceNanoEuro } = await showCredits(accounts, { accountId });
    expect(balanceNanoEuro).toBe(1_000_000_000 - (12 * 1000 + 8 * 500 + 5 * 2000));
  });

  test('simultaneous completions are each charged once, with fewer requests to the store than one after the other', async () => {
    upstream.script(script);
    const { accounts } = service.deps;
    const { key, accountId } = await newTestAccount(accounts, { credits: '1' });
    const before = service.dynamo.requests();
    const atOnce = 40;
    const bodies = await Promise.all(
      Array.from({ length: atOnce }, async () => (await service.post(question(stream), { key })).text()),
    );
    expect(bodies.every((body) => body.includes('"impact"'))).toBe(true);
    expect(service.dynamo.requests() - before).toBeLessThan(2 * atOnce);
    const { balanceNanoEuro, entries } = await showCredits(accounts, { accountId });
    expect(balanceNanoEuro).toBe(1_000_000_000 - atOnce * 26_000);
    expect(new Set(entries.filter(({ kind }) => kind === 'completion').map(({ id }) => id)).size).toBe(
      atOnce,
    );
  });

  test('the organisation of a subscription is metered, whatever the balance', async () => {
    upstream.script(script);
    const { accounts } = service.deps;
    const { key, organisationId = '' } = await newTestAccount(accounts, { credits: '0', subscription: true });
    await (await service.post(question(stream), { key })).text();
    const { entries } = await showCredits(accounts, { organisationId });
    expect(entries).toEqual([expect.objectContaining({ kind: 'completion', amountNanoEuro: -26_000 })]);
  });

  test('a charge is written once although the ledger fails for a while', async () => {
    upstream.script(script);
    const { key, accountId } = await newTestAccount(service.deps.accounts);
    failWrites(2);
    expect(await (await service.post(question(stream), { key })).text()).toContain('"impact"');
    const { entries } = await showCredits(service.deps.accounts, { accountId });
    expect(entries.filter(({ kind }) => kind === 'completion')).toHaveLength(1);
    expect(service.deferred).toEqual([]);
  });

  test('an answer is whole while the ledger is down, and its charge is written later', async () => {
    upstream.script(script);
    const { key, keyId, accountId } = await newTestAccount(service.deps.accounts);
    failWrites(Infinity);
    expect(await (await service.post(question(stream), { key })).text()).toContain('"impact"');
    expect(service.deferred).toEqual([
      {
        id: expect.stringMatching(/^chat_/),
        at: '2026-11-21T10:00:00.000Z',
        kind: 'completion',
        payer: { accountId },
        model: 'writer',
        inputTokens: 20,
        cachedInputTokens: 8,
        outputTokens: 5,
        amountNanoEuro: 26_000,
        requestId: expect.any(String),
        keyId,
        price: { inputPerMillionTokens: 1, cachedInputPerMillionTokens: 0.5, outputPerMillionTokens: 2 },
        upstream: `${new URL(upstream.baseUrl).host}/upstream-writer`,
        energy: expect.any(Number),
        emissions: expect.any(Number),
        reservation: expect.objectContaining({ nanoEuro: expect.any(Number) }),
      },
    ]);
  });

  test('when even the queue fails, the log has all that the ledger would have had', async () => {
    upstream.script(script);
    const { key, accountId } = await newTestAccount(service.deps.accounts);
    failWrites(Infinity);
    vi.spyOn(service.deps, 'deferCharge').mockRejectedValue(new Error('no queue'));
    expect(await (await service.post(question(stream), { key })).text()).toContain('"impact"');
    expect(service.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'charge not written',
        at: '2026-11-21T10:00:00.000Z',
        accountId,
        amountNanoEuro: 26_000,
        outputTokens: 5,
      }),
    );
  });
});

test('a charge goes to the queue when the ledger hangs, and the answer does not wait', async () => {
  upstream.script(hello);
  const { key } = await newTestAccount(service.deps.accounts);
  const { dynamodb } = service.deps.accounts;
  const send = dynamodb.send.bind(dynamodb);
  const hanging: (() => void)[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    vi.spyOn(dynamodb, 'send').mockImplementation(((command: never) => {
      if (!((command as unknown) instanceof TransactWriteCommand)) return send(command);
      queueMicrotask(() => vi.advanceTimersByTime(2_000));
      return new Promise<void>((resolve) => hanging.push(resolve));
    }) as never);
    const stream = readChunks(await (await service.post(question(true), { key })).text());
    expect(stream.done).toBe(true);
    expect(hanging).toHaveLength(3);
    expect(service.deferred).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});
