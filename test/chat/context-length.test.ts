import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { longestTurn } from '../support/longest-turn.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './support/chat-service.ts';
import { answersPlainly, chunk, done, event, plainAnswer, streams } from './support/chunks.ts';

let upstream: ScriptedUpstream;
let service: ChatService;

const contextTokens = 2_000;
const mostTokens = 3_000;

beforeAll(async () => {
  upstream = await startUpstream();
  const { models, roles } = chatCatalogue(upstream.baseUrl);
  const small = { ...models[0]!, id: 'small', contextTokens, outputTokens: 16 };
  service = await startChatService({ models: [...models, small], roles });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});
beforeEach(() => upstream.script(answersPlainly));

/** Each word is a token, with its space. */
const words = (count: number) => ' hello'.repeat(count);
const biases = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, id) => [id, 1]));
const chat = (content: unknown, more: object = {}) => ({
  model: 'small',
  messages: [{ role: 'user', content }],
  ...more,
});
const accountWith = (nanoEuro: number) =>
  newTestAccount(service.deps.accounts, { credits: (nanoEuro / 1e9).toFixed(9) });
const charges = async (account: { accountId: string }) =>
  (await service.ledger(account)).filter(({ kind }) => kind === 'completion');

describe('text of more than 1.5 contexts', () => {
  const long = words(mostTokens + 100);
  test.each([
    ['a completion', '/v1/chat/completions', chat(long), 'messages'],
    ['a stream', '/v1/chat/completions', chat(long, { stream: true }), 'messages'],
    ['a compressed one', '/v1/chat/completions', chat(long, { model: 'small-compressed' }), 'messages'],
    ['text in a part', '/v1/chat/completions', chat([{ type: 'text', text: long }]), 'messages'],
    [
      'the description of a tool',
      '/v1/chat/completions',
      chat('Hi', { tools: [{ type: 'function', function: { name: 'look', description: long } }] }),
      'messages',
    ],
    ['a response', '/v1/responses', { model: 'small', input: long, store: false }, 'input'],
    ['a streamed response', '/v1/responses', { model: 'small', input: long, stream: true }, 'input'],
  ])(
    'is a 400 with both numbers, and nothing is asked, set aside or charged: %s',
    async (_, path, body, param) => {
      const account = await accountWith(1_000_000_000);
      const response = await service.post(body, { key: account.key, path });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        error: {
          message: `This model reads at most ${contextTokens} tokens. The request has more than ${mostTokens}.`,
          type: 'invalid_request_error',
          param,
          code: 'context_length_exceeded',
        },
      });
      expect(upstream.requests).toEqual([]);
      expect(await charges(account)).toEqual([]);
      expect(await service.purse(account)).toMatchObject({
        balanceNanoEuro: 1_000_000_000,
        availableNanoEuro: 1_000_000_000,
        holds: new Map(),
      });
    },
  );

  test.each([
    ['in one piece', {}],
    ['streamed', { stream: true }],
    ['in its prompt', { system: long, messages: chat('Hi').messages }],
    ['in a tool', { tools: [{ name: 'look', description: long }], messages: chat('Hi').messages }],
  ])('is a 400 of a message whose words its clients know, and nothing is charged: %s', async (_, more) => {
    const account = await accountWith(1_000_000_000);
    const body = { ...chat(long), max_tokens: 9, ...more };
    const response = await service.post(body, { key: account.key, path: '/v1/messages' });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: `prompt is too long: ${mostTokens} tokens > ${contextTokens} maximum`,
          code: 'context_length_exceeded',
        },
        request_id: response.headers.get('Request-Id'),
      },
    ]);
    expect([upstream.requests, await charges(account)]).toEqual([[], []]);
  });

  test('is a 402 for an account that has nothing', async () => {
    const { key } = await accountWith(0);
    expect((await service.post(chat(long), { key })).status).toBe(402);
  });
});

describe('a request whose text does not pass 1.5 contexts', () => {
  const file = 'QUJD'.repeat(5_000);
  test.each<[string, unknown, object]>([
    ['of 1.4 contexts', words(1.4 * contextTokens), {}],
    ['with a picture', [{ type: 'image_url', image_url: { url: `data:image/png;base64,${file}` } }], {}],
    ['with a recording', [{ type: 'input_audio', input_audio: { data: file, format: 'wav' } }], {}],
    ['with a document', [{ type: 'file', file: { file_data: `data:application/pdf;base64,${file}` } }], {}],
    ['with a picture beside its text', words(20), { images: [file] }],
    ['with many settings', 'Hi', { logit_bias: biases(mostTokens) }],
  ])('reaches its model, %s', async (_, content, beside) => {
    const { messages, ...body } = chat(content);
    const [message] = messages;
    const { logit_bias, ...fields } = beside as { logit_bias?: object };
    const sent = { ...body, messages: [{ ...message, ...fields }], logit_bias };
    expect((await service.post(sent)).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  test('of a model whose context is not known reaches its model', async () => {
    expect((await service.post({ ...chat(words(9_000)), model: 'writer' })).status).toBe(200);
  });
});

test('a request of 6 MB is counted beside the main thread, and no further than to the bound', async () => {
  const body = JSON.stringify(chat(`${'The quick brown fox jumps over the lazy dog. '.repeat(130_000)}`));
  const warm = await service.post(chat(words(mostTokens + 100)));
  expect(warm.status).toBe(400);
  // Processor time of the process: others share the machine.
  const before = process.cpuUsage();
  const turn = await longestTurn(async () => {
    expect((await service.post(body)).status).toBe(400);
  });
  expect(turn).toBeLessThan(250);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(10_000);
});

describe('a call that its caller leaves', () => {
  /** More tokens than the model can read by our count, and few enough to be let in. */
  const input = words(1.4 * contextTokens);

  test.each([
    ['a completion', {}],
    ['a completion with max_tokens', { max_tokens: 100 }],
    ['a stream', { stream: true }],
  ])('is charged no more input than its model can read: %s', async (_, more) => {
    const account = await accountWith(100_000_000);
    const taken = Promise.withResolvers<void>();
    upstream.script(() => taken.resolve());
    const client = new AbortController();
    const answer = service.post(chat(input, more), { key: account.key, signal: client.signal });
    answer.catch(() => {});
    await taken.promise;
    client.abort();
    await vi.waitFor(async () => expect(await charges(account)).toHaveLength(1), 60_000);
    expect(await charges(account)).toMatchObject([
      { inputTokens: contextTokens, outputTokens: 0, amountNanoEuro: -2_000_000, brokenOff: true },
    ]);
  });
});

describe('a whole answer without max_tokens', () => {
  const asked = chat('Say hello');
  /** Pays for the input of the request by its bytes and for what is set aside as output. */
  const credits = 200_000;

  test('takes the balance below zero by the reported output alone', async () => {
    const account = await accountWith(credits);
    const usage = { prompt_tokens: 9_000_000, completion_tokens: 1_016, total_tokens: 9_001_016 };
    upstream.script((wire) => wire.json(200, { ...plainAnswer, usage }));
    expect((await service.post(asked, { key: account.key })).status).toBe(200);
    const { balanceNanoEuro, availableNanoEuro, holds } = await service.purse(account);
    expect([balanceNanoEuro, availableNanoEuro, holds.size]).toEqual([-2_000_000, -2_000_000, 0]);
  });

  test('never takes the balance below zero if its tokens were counted here', async () => {
    const account = await accountWith(credits);
    const message = { role: 'assistant', content: words(1_900) };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    upstream.script((wire) => wire.json(200, { ...plainAnswer, choices, usage: undefined }));
    expect((await service.post(asked, { key: account.key })).status).toBe(200);
    expect(await service.purse(account)).toMatchObject({ balanceNanoEuro: 0, holds: new Map() });
    expect((await charges(account))[0]?.writtenOffNanoEuro).toBeGreaterThan(0);
  });

  test('is charged no more output than its model can write if its tokens were counted here', async () => {
    const account = await accountWith(1_000_000_000);
    const message = { role: 'assistant', content: words(5 * contextTokens) };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    upstream.script((wire) => wire.json(200, { ...plainAnswer, choices, usage: undefined }));
    await service.post(asked, { key: account.key });
    expect(await charges(account)).toMatchObject([{ outputTokens: contextTokens }]);
  });
});

test('a stream of reported tokens never takes the balance below zero', async () => {
  const account = await accountWith(200_000);
  const usage = { prompt_tokens: 9_000_000, completion_tokens: 9_000_000, total_tokens: 18_000_000 };
  upstream.script(
    streams(event(chunk({ content: 'Hello' }, 'stop')), event({ ...chunk({}), choices: [], usage }), done),
  );
  const answer = await service.post(chat('Say hello', { stream: true }), { key: account.key });
  await answer.text();
  expect(await service.purse(account)).toMatchObject({ balanceNanoEuro: 0, holds: new Map() });
});
