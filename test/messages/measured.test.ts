import { parseCatalogue } from '@errand/models';
import { readAccountPurse } from '@errand/money';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChatService, secretKey, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly } from '../chat/support/chunks.ts';
import { newTestAccount } from '../support/accounts.ts';
import {
  type MessageServer,
  messageOf,
  messageUsage,
  says,
  startMessageServer,
  text,
} from '../support/message-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

let upstream: MessageServer;
let chat: ScriptedUpstream;
let service: ChatService;

const contextTokens = 2_000;
const inputNanoEuro = 1_000;
const outputNanoEuro = 2_000;

beforeAll(async () => {
  [upstream, chat] = await Promise.all([startMessageServer(), startUpstream()]);
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const of = (server: { baseUrl: string }, more: object = {}) => ({
    baseUrl: server.baseUrl,
    model: 'm',
    apiKeyEnv: 'KEY',
    ...more,
  });
  const native = of(upstream, { api: 'messages' });
  const model = (id: string, own: object, more: object = {}) => ({
    ...{ id, kind: 'chat', price, upstream: own, contextTokens, outputTokens: 50, compressed: false },
    ...more,
  });
  const models = [
    model('native', native),
    model('mixed', native, { fallbacks: [of(chat)] }),
    model('translated', of(chat)),
    model('open', of(chat, { api: 'messages' }), { contextTokens: undefined }),
    model('dropping', of(upstream, { api: 'messages', fields: { context_management: 'drop' } })),
  ];
  service = await startChatService(parseCatalogue({ models }, () => secretKey));
});
afterAll(async () => {
  await service.close();
  await Promise.all([upstream.close(), chat.close()]);
});
beforeEach(() => {
  upstream.script(() => says('ok'));
  chat.script(answersPlainly);
});

const hi = { role: 'user', content: 'Hi' };
const ask = (model: string, more: object, key = service.key) =>
  fetch(`${service.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'anthropic-beta': 'any' },
    body: JSON.stringify({ model, max_tokens: 10, messages: [hi], ...more }),
  });

/** Each word is a token, with its space. */
const long = ' hello'.repeat(1.5 * contextTokens + 100);
const file = 'QUJD'.repeat(5_000);
const answered = (...content: object[]) => ({ messages: [hi, { role: 'assistant', content }, hi] });

describe('text of more than 1.5 contexts that a provider of Messages alone is sent', () => {
  const texts: [string, object][] = [
    ['in a summary', answered({ type: 'compaction', content: long })],
    ['in a block that nobody knows', answered({ type: 'later', words: [long] }, text('Hi'))],
    [
      'in the examples of a tool',
      { tools: [{ name: 'a', input_schema: { type: 'object' }, input_examples: [{ a: long }] }] },
    ],
    [
      'in the instructions for a summary',
      { context_management: { edits: [{ type: 'compact_20260112', instructions: long }] } },
    ],
    ['in a field that nobody knows', { later: long }],
  ];

  test.each(texts)('is refused, and nothing is asked or charged: %s', async (_, more) => {
    for (const model of ['native', 'mixed']) {
      const account = await newTestAccount(service.deps.accounts, { credits: '1' });
      const response = await ask(model, more, account.key);
      const message = expect.stringMatching(/^prompt is too long: /);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: 'context_length_exceeded', message } },
      ]);
      expect([upstream.requests, upstream.refused]).toEqual([[], []]);
      expect(await service.purse(account)).toMatchObject({ availableNanoEuro: 1_000_000_000 });
    }
  });

  test.each(texts)('is not sent to another provider, which answers: %s', async (_, more) => {
    expect((await ask('translated', more)).status).toBe(200);
    expect(chat.requests[0]?.text.length).toBeLessThan(1_000);
  });
});

test.each<[string, object]>([
  [
    'a picture',
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: file } }],
        },
      ],
    },
  ],
  [
    'a document',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: file } },
          ],
        },
      ],
    },
  ],
  ['sealed thinking', answered({ type: 'redacted_thinking', data: file }, text('Hi'))],
  ['a sealed summary', answered({ type: 'compaction', content: 'Hi', encrypted_content: file }, text('Hi'))],
  [
    'many signatures',
    answered(
      ...Array.from({ length: 40 }, () => ({
        type: 'thinking',
        thinking: 'a',
        signature: 'Ab1-'.repeat(200),
      })),
      text('Hi'),
    ),
  ],
])('what is no text is not counted as text: %s', async (_, more) => {
  await ask('native', more);
  // The provider judges what it has not made itself.
  expect(upstream.requests).toHaveLength(1);
});

describe('what is set aside for a message', () => {
  /** What is set aside while the provider works. */
  async function setAside(model: string, more: object, credits = '10'): Promise<number> {
    const account = await newTestAccount(service.deps.accounts, { credits });
    let held = 0;
    const look = async () => {
      const { balanceNanoEuro, availableNanoEuro } = await readAccountPurse(
        service.deps.accounts,
        account.accountId,
      );
      held = balanceNanoEuro - availableNanoEuro;
    };
    upstream.script(async () => {
      await look();
      return says('ok');
    });
    chat.script(async (wire) => {
      await look();
      await wire.json(200, messageOf('m', says('ok')));
    });
    expect((await ask(model, more, account.key)).status).toBe(200);
    return held;
  }
  const compact = { context_management: { edits: [{ type: 'compact_20260112' }] } };
  const clear = {
    context_management: {
      edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'clear_thinking_20251015' }],
    },
  };

  test('covers the input twice and a summary, where one is asked for', async () => {
    const filled = { messages: [{ role: 'user', content: 'x'.repeat(contextTokens) }] };
    const once = contextTokens * inputNanoEuro + 10 * outputNanoEuro;
    expect(await setAside('native', filled)).toBe(once);
    expect(await setAside('native', { ...filled, ...clear })).toBe(once);
    expect(await setAside('native', { ...filled, compaction: { type: 'summarize' } })).toBe(once);
    expect(await setAside('dropping', { ...filled, ...compact })).toBe(once);
    // The summary may be as long as the answers of the model usually are, or as this one may be.
    expect(await setAside('native', { ...filled, ...compact })).toBe(
      2 * contextTokens * inputNanoEuro + (10 + 50) * outputNanoEuro,
    );
    expect(await setAside('mixed', { ...filled, ...compact, max_tokens: 80 })).toBe(
      2 * contextTokens * inputNanoEuro + (80 + 80) * outputNanoEuro,
    );
  });

  test('pays for all that a summary costs beside the answer', async () => {
    const content = 'word '.repeat(1_000);
    const account = await newTestAccount(service.deps.accounts, { credits: '10' });
    let held = 0;
    const summary = { ...messageUsage, type: 'compaction', input_tokens: 1_900, output_tokens: 50 };
    upstream.script(async () => {
      const { balanceNanoEuro, availableNanoEuro } = await readAccountPurse(
        service.deps.accounts,
        account.accountId,
      );
      held = balanceNanoEuro - availableNanoEuro;
      const usage = { ...messageUsage, input_tokens: 600, output_tokens: 10, iterations: [summary] };
      return { ...says('ok'), usage };
    });
    const body = { messages: [{ role: 'user', content }], ...compact };
    expect((await ask('native', body, account.key)).status).toBe(200);
    const charged = (await service.ledger(account)).find(({ kind }) => kind === 'completion');
    expect(charged).toMatchObject({ inputTokens: 2_500, outputTokens: 60, amountNanoEuro: -2_620_000 });
    expect(held).toBeGreaterThanOrEqual(2_620_000);
  });

  test('has an account with less told how much it may write beside a summary, or refused', async () => {
    const body = { messages: [{ role: 'user', content: 'word '.repeat(10) }], max_tokens: 40, ...compact };
    const poor = await newTestAccount(service.deps.accounts, { credits: '0.00031' });
    expect((await ask('native', body, poor.key)).status).toBe(200);
    const { max_tokens } = upstream.requests[0]!.body;
    expect(max_tokens).toBeGreaterThan(0);
    expect(max_tokens).toBeLessThan(40);
    const poorer = await newTestAccount(service.deps.accounts, { credits: '0.0001' });
    expect((await ask('native', body, poorer.key)).status).toBe(402);
  });

  test('covers pictures and documents that no completion would have', async () => {
    const page = { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } };
    const picture = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } };
    const found = (content: object) => ({
      messages: [{ role: 'user', content: [text('Hi'), { type: 'later', content: [content] }] }],
    });
    const plain = await setAside('open', found(text(picture.source.url)));
    expect((await setAside('open', found(picture))) - plain).toBeGreaterThan(
      (limits.reservedImageTokens - 100) * inputNanoEuro,
    );
    expect((await setAside('open', found(page))) - plain).toBeGreaterThan(
      (limits.reservedFileTokens - 100) * inputNanoEuro,
    );
  });
});

test('a call that its caller leaves is charged what was sent, also what no completion would have', async () => {
  const account = await newTestAccount(service.deps.accounts, { credits: '1' });
  const taken = Promise.withResolvers<void>();
  chat.script(() => taken.resolve());
  const client = new AbortController();
  const body = {
    model: 'open',
    max_tokens: 10,
    ...answered({ type: 'later', words: ' hello'.repeat(500) }, text('Hi')),
  };
  const answer = service.post(body, { key: account.key, path: '/v1/messages', signal: client.signal });
  answer.catch(() => {});
  await taken.promise;
  client.abort();
  const charges = async () => (await service.ledger(account)).filter(({ kind }) => kind === 'completion');
  await vi.waitFor(async () => expect(await charges()).toHaveLength(1), 60_000);
  const [charged] = await charges();
  expect(charged).toMatchObject({ brokenOff: true, outputTokens: 0 });
  expect(charged?.inputTokens).toBeGreaterThan(500);
});
