import { readCredits } from '@errand/money';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { heldTime } from '../security/support/held-time.ts';
import { anotherProcess, newTestAccount } from '../support/accounts.ts';
import {
  type ScriptedUpstream,
  startUpstream,
  type UpstreamRequest,
  type UpstreamScript,
  type Wire,
} from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, readChunks, startChatService } from './support/chat-service.ts';
import { chunk, done, event, plainAnswer } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;

/** In nano-euro: of a token of the writer's input and output. */
const price = { input: 1_000, output: 2_000 };

beforeAll(async () => {
  upstream = await startUpstream();
  const { models, roles } = chatCatalogue(upstream.baseUrl);
  const short = { ...models[0]!, id: 'short', outputTokens: 16 };
  service = await startChatService({ models: [...models, short], roles });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'Say hello' }];
/** The messages as the provider counts them, and as we do. */
const inputTokens = { reported: 20, counted: 9 };
/** A model's own tokenizer may make twice as many, and its template adds some. */
const mostInputTokens = 2 * inputTokens.counted + 32;
const question = (more: object = {}) => ({ model: 'writer', messages, ...more });

type Account = Awaited<ReturnType<typeof newTestAccount>>;
const accountWith = (nanoEuro: number): Promise<Account> =>
  newTestAccount(service.deps.accounts, { credits: (nanoEuro / 1e9).toFixed(9) });

const charges = async (account: Account) =>
  (await service.ledger(account)).filter(({ kind }) => kind === 'completion');

const balanceOf = async (account: Account): Promise<number> => {
  const { balanceNanoEuro, availableNanoEuro, holds } = await service.purse(account);
  expect([availableNanoEuro, holds.size]).toEqual([balanceNanoEuro, 0]);
  return balanceNanoEuro;
};

const usageOf = (completion_tokens: number) => ({
  usage: {
    prompt_tokens: inputTokens.reported,
    completion_tokens,
    total_tokens: inputTokens.reported + completion_tokens,
  },
});

/** A provider whose model writes as much as it is let, and this much if nobody says how much. */
const writesUpTo =
  (tokens: number): UpstreamScript =>
  async (wire, { body }) => {
    const told = body.max_tokens ?? body.max_completion_tokens ?? tokens;
    const usage = usageOf(Number(told));
    if (!body.stream) return wire.json(200, { ...plainAnswer, ...usage });
    await wire.head();
    await wire.send(
      event(chunk({ content: 'Hello' }, 'stop')),
      event({ ...chunk({}), choices: [], ...usage }),
    );
    await wire.send(done);
    wire.end();
  };

async function askAtOnce(account: Account, times: number, body: object): Promise<number[]> {
  const answers = Array.from({ length: times }, async () => {
    const response = await service.post(body, { key: account.key });
    await response.text();
    return response.status;
  });
  return Promise.all(answers);
}

const answered = (statuses: number[]) => statuses.filter((status) => status === 200).length;

describe('400 requests at once that each cost more than a quarter of the balance', () => {
  test.each([
    ['plain ones with max_tokens', { max_tokens: 500 }],
    ['plain ones with max_completion_tokens', { max_completion_tokens: 500 }],
    ['streams', { stream: true, max_tokens: 500 }],
  ])('never bring it below zero: %s', async (_, more) => {
    upstream.script(writesUpTo(500));
    const account = await accountWith(4_000_000);
    const statuses = await askAtOnce(account, 400, question(more));
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    expect(await charges(account)).toHaveLength(answered(statuses));
    expect(upstream.requests).toHaveLength(answered(statuses));
    expect(await balanceOf(account)).toBeGreaterThanOrEqual(0);
  });

  test('bring it below zero at most by what plain answers without max_tokens exceeded their bound', async () => {
    const wanted = limits.reservedOutputTokens + 1_000;
    upstream.script(writesUpTo(wanted));
    const account = await accountWith(4 * limits.reservedOutputTokens * price.output);
    const statuses = await askAtOnce(account, 400, question());
    const untold = upstream.requests.filter(({ body }) => body.max_tokens === undefined).length;
    expect([answered(statuses) >= 4, untold >= 3]).toEqual([true, true]);
    const balance = await balanceOf(account);
    expect(balance).toBeLessThan(0);
    expect(balance).toBeGreaterThanOrEqual(-untold * 1_000 * price.output);
    expect(await askAtOnce(account, 3, question())).toEqual([402, 402, 402]);
  });
});

describe('a caller with less than what is to be set aside', () => {
  const credits = 500_000;
  const paidTokens = Math.floor((credits - mostInputTokens * price.input) / price.output);
  const told = () => upstream.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens]);

  test.each<[string, object, (number | undefined)[]]>([
    ['nothing', {}, [paidTokens, undefined]],
    ['max_tokens', { max_tokens: 4_000 }, [paidTokens, undefined]],
    ['fewer max_tokens', { max_tokens: 200 }, [200, undefined]],
    ['max_completion_tokens', { max_completion_tokens: 4_000 }, [undefined, paidTokens]],
    ['a stream', { stream: true }, [paidTokens, undefined]],
    ['two choices', { n: 2 }, [Math.floor(paidTokens / 2), undefined]],
  ])(
    'gets one request, whose provider gets the output limit that the balance pays for: %s',
    async (_, more, limit) => {
      const wires: [Wire, UpstreamRequest][] = [];
      upstream.script((wire, request) => void wires.push([wire, request]));
      const account = await accountWith(credits);
      const answer = service.post(question(more), { key: account.key });
      await vi.waitFor(() => expect(wires).toHaveLength(1), 60_000);
      if (!('max_tokens' in more && more.max_tokens === 200))
        expect(await askAtOnce(account, 3, question(more))).toEqual([402, 402, 402]);
      for (const [wire, request] of wires) await writesUpTo(9_999)(wire, request);
      expect((await answer).status).toBe(200);
      await (await answer).text();
      expect(told()).toEqual([limit]);
      expect(await balanceOf(account)).toBeGreaterThanOrEqual(0);
    },
  );

  test.each([false, true])(
    'has its output limit sent as max_completion_tokens to a provider that refuses max_tokens (stream: %s)',
    async (stream) => {
      const refuses: UpstreamScript = (wire) =>
        wire.json(400, { error: { message: 'Use max_completion_tokens.', param: 'max_tokens' } });
      upstream.script(refuses, writesUpTo(9_999));
      const account = await accountWith(credits);
      const response = await service.post(question({ stream }), { key: account.key });
      expect(response.status).toBe(200);
      await response.text();
      expect(told()).toEqual([
        [paidTokens, undefined],
        [undefined, paidTokens],
      ]);
      expect(await balanceOf(account)).toBeGreaterThanOrEqual(0);
    },
  );

  test('is refused before a provider is asked if the balance does not pay the input', async () => {
    upstream.script(writesUpTo(1));
    const least = mostInputTokens * price.input + price.output;
    const [poor, enough] = [await accountWith(least - 1), await accountWith(least)];
    expect((await service.post(question(), { key: poor.key })).status).toBe(402);
    expect(upstream.requests).toHaveLength(0);
    expect(await balanceOf(poor)).toBe(least - 1);
    expect((await service.post(question(), { key: enough.key })).status).toBe(200);
    expect(told()).toEqual([[1, undefined]]);
  });
});

test.each([1e15, 9e15])(
  'max_tokens of %d is cut to what the balance pays, and does not fail',
  async (max_tokens) => {
    upstream.script((wire) => wire.json(200, { ...plainAnswer, ...usageOf(10) }));
    const account = await accountWith(1_000_000);
    expect(answered(await askAtOnce(account, 3, question({ max_tokens, n: 8 })))).toBeGreaterThanOrEqual(1);
    expect(await balanceOf(account)).toBeGreaterThan(0);
  },
);

/** A text of about so many tokens. */
const words = (tokens: number) => ' hello'.repeat(tokens);

/** A stream that the test writes to. */
async function openStream(account: Account, more: object = {}) {
  const arrived = Promise.withResolvers<Wire>();
  upstream.script(async (wire) => {
    await wire.head();
    arrived.resolve(wire);
  });
  const answer = service.post(question({ stream: true, ...more }), { key: account.key });
  const wire = await arrived.promise;
  const write = (text: string) => wire.send(event(chunk({ content: text })));
  return { wire, write, read: async () => readChunks(await (await answer).text()) };
}

describe('a stream that runs past what was set aside', () => {
  test('reserves more, and is delivered whole', async () => {
    const account = await accountWith(100_000_000);
    const { wire, write, read } = await openStream(account, { model: 'short' });
    const heldNanoEuro = async () => [...(await service.purse(account)).holds.values()][0]?.nanoEuro ?? 0;
    const first = await heldNanoEuro();
    for (let i = 0; i < 20; i++) await write(words(10));
    await vi.waitFor(async () => expect(await heldNanoEuro()).toBeGreaterThan(200 * price.output), 60_000);
    expect(first).toBeLessThan(200 * price.output);
    await wire.send(event(chunk({}, 'stop')), done);
    wire.end();
    const { text, chunks, done: isDone } = await read();
    expect([text, isDone]).toEqual([words(200), true]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: {}, impact: {} });
    expect(await charges(account)).toHaveLength(1);
    expect(await balanceOf(account)).toBeLessThanOrEqual(100_000_000 - 200 * price.output);
  });

  test.each([
    ['a few tokens at a time', 60, 3],
    ['many at a time', 10, 40],
    ['all at once', 1, 2_000],
  ])('ends with finish_reason length where the balance has no more: %s', async (_, pieces, tokens) => {
    const { sent } = await reservedFor('short');
    const account = await accountWith(sent + 20 * price.output);
    const { wire, write, read } = await openStream(account, { model: 'short' });
    for (let i = 0; i < pieces; i++) await write(words(tokens));
    await wire.closed;
    const { text, chunks, done: isDone } = await read();
    expect(words(pieces * tokens).startsWith(text)).toBe(true);
    expect(isDone).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }], impact: {} });
    const [charge] = await charges(account);
    expect(chunks.at(-1)?.usage).toMatchObject({
      prompt_tokens: charge?.inputTokens,
      completion_tokens: charge?.outputTokens,
    });
    expect(charge?.outputTokens).toBeGreaterThanOrEqual(text.length / ' hello'.length);
    expect(await balanceOf(account)).toBeGreaterThanOrEqual(0);
    expect(chunks.filter(({ error }) => error)).toEqual([]);
  });

  test('leaves the balance at or above zero while other calls spend it too', async () => {
    const { sent } = await reservedFor('short');
    const account = await accountWith(6 * sent);
    upstream.script(async (wire) => {
      await wire.head();
      for (let i = 0; i < 40; i++) await wire.send(event(chunk({ content: words(5) })));
      await wire.send(event(chunk({}, 'stop')), done);
      wire.end();
    });
    const statuses = await askAtOnce(account, 60, question({ stream: true, model: 'short' }));
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    expect(await balanceOf(account)).toBeGreaterThanOrEqual(0);
  });
});

/** What is set aside at first for a stream of the model. */
async function reservedFor(model: string): Promise<{ sent: number }> {
  const account = await accountWith(1_000_000_000);
  const { wire, read } = await openStream(account, { model });
  const [hold] = [...(await service.purse(account)).holds.values()];
  await wire.send(event(chunk({}, 'stop')), done);
  wire.end();
  await read();
  return { sent: hold?.nanoEuro ?? 0 };
}

describe('a stream', () => {
  /** A stream that has written this many tokens, and was renewed by then. */
  async function renewedStream(account: Account, tokens: number) {
    const time = heldTime(service.clock);
    const stream = await openStream(account);
    const until = async () => [...(await service.purse(account)).holds.values()][0]?.untilSeconds ?? 0;
    const renew = async () => {
      const before = await until();
      time.advance(limits.reservationRenewalMilliseconds);
      await vi.waitFor(async () => expect(await until()).toBe(before + 10), 60_000);
    };
    await stream.write(words(tokens));
    await renew();
    return { ...stream, renew, startedTimers: () => delete service.clock.startTimer };
  }

  test('keeps what is set aside for as long as it takes, and is charged once in the end', async () => {
    const account = await accountWith(100_000_000);
    const { wire, write, read, renew, startedTimers } = await renewedStream(account, 5);
    for (let i = 0; i < 12; i++) {
      await write(words(5));
      await renew();
    }
    await wire.send(event(chunk({}, 'stop')), done);
    wire.end();
    expect((await read()).text).toBe(words(65));
    expect(await charges(account)).toMatchObject([{ inputTokens: 9, outputTokens: 65 }]);
    expect(await balanceOf(account)).toBe(100_000_000 - 9 * price.input - 65 * price.output);
    startedTimers();
  });

  test('whose process died is charged once for what was delivered by its last renewal; the rest is available again', async () => {
    const account = await accountWith(100_000_000);
    const { wire, read, write, startedTimers } = await renewedStream(account, 30);
    await write(words(7));
    service.clock.advance(66_000);
    const others = [1, 2].map(() => anotherProcess(service.dynamo, service.deps.accounts));
    await Promise.all(others.map((other) => readCredits(other, account.accountId)));
    expect(await charges(account)).toMatchObject([{ inputTokens: 9, outputTokens: 30, brokenOff: true }]);
    expect(await balanceOf(account)).toBe(100_000_000 - 9 * price.input - 30 * price.output);
    for (const other of others) other.close();
    // The process was only slow.
    await wire.send(event(chunk({}, 'stop')), done);
    wire.end();
    expect((await read()).done).toBe(true);
    expect(await charges(account)).toHaveLength(2);
    expect(await balanceOf(account)).toBe(100_000_000 - 9 * price.input - 37 * price.output);
    startedTimers();
  });
});

test('a plain completion whose process died is charged its input if a provider had it for 10 s', async () => {
  const { accounts } = service.deps;
  const account = await accountWith(100_000_000);
  const time = heldTime(service.clock);
  const arrived = Promise.withResolvers<Wire>();
  upstream.script((wire) => arrived.resolve(wire));
  const answer = service.post(question(), { key: account.key });
  const wire = await arrived.promise;
  const until = async () => [...(await service.purse(account)).holds.values()][0]?.untilSeconds ?? 0;
  const before = await until();
  time.advance(limits.reservationRenewalMilliseconds);
  await vi.waitFor(async () => expect(await until()).toBe(before + 10), 60_000);
  service.clock.advance(66_000);
  await readCredits(accounts, account.accountId);
  expect(await charges(account)).toMatchObject([{ inputTokens: 9, outputTokens: 0, brokenOff: true }]);
  expect(await balanceOf(account)).toBe(100_000_000 - 9 * price.input);
  await wire.json(200, { ...plainAnswer, ...usageOf(5) });
  expect((await answer).status).toBe(200);
  expect(await balanceOf(account)).toBe(100_000_000 - 20 * price.input - 5 * price.output);
  delete service.clock.startTimer;
});
