import { parseCatalogue } from '@errand/models';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChatService, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly } from '../chat/support/chunks.ts';
import { newTestAccount } from '../support/accounts.ts';
import { type Block, streamOf } from '../support/message-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

/** What is charged where a provider of Messages says nothing of what it bills. */
let provider: ScriptedUpstream;
let chat: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  [provider, chat] = await Promise.all([startUpstream(), startUpstream()]);
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const own = { baseUrl: provider.baseUrl, model: 'own', api: 'messages' };
  const writer = { baseUrl: chat.baseUrl, model: 'writer' };
  const model = (id: string, upstream: object, fallbacks: object[] = []) => ({
    ...{ id, kind: 'vision', price, upstream, fallbacks, contextTokens: 200_000 },
  });
  const models = [model('alone', own), model('first', own, [writer]), model('second', writer, [own])];
  service = await startChatService(parseCatalogue({ models }, () => undefined));
});
afterAll(() => Promise.all([service, provider, chat].map((part) => part.close())));
beforeEach(() => chat.script(answersPlainly));

type Account = Awaited<ReturnType<typeof newTestAccount>>;

interface Asking {
  path?: string | undefined;
  signal?: AbortSignal;
}

const newAccount = () => newTestAccount(service.deps.accounts, { credits: '1' });
const hi = { role: 'user', content: 'Hi' };
const ask = (account: Account, body: object, { path = '/v1/messages', signal }: Asking = {}) =>
  service.post({ max_tokens: 9_000, messages: [hi], ...body }, { path, key: account.key, signal });

const chargeOf = (account: Account) =>
  vi.waitFor(async () => {
    const charges = (await service.ledger(account)).filter(({ kind }) => kind === 'completion');
    expect(charges).toHaveLength(1);
    return charges[0] as unknown as Record<string, number>;
  }, 60_000);

/** What a call costs whose caller leaves as soon as the provider has sent `events`; before any, if there are none. */
async function leave(body: object, events?: readonly Block[], path?: string) {
  const account = await newAccount();
  const arrived = Promise.withResolvers<{ closed: Promise<void> }>();
  provider.script(async (wire) => {
    if (events) {
      await wire.head();
      await wire.send(streamOf(events));
    }
    arrived.resolve(wire);
  });
  const client = new AbortController();
  const answer = ask(account, body, { signal: client.signal, path });
  answer.catch(() => {});
  if (events) {
    const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let sent = ''; !sent.includes('"the_last"'); ) sent += (await reader.read()).value ?? '"the_last"';
  }
  const wire = await arrived.promise;
  client.abort();
  await wire.closed;
  return chargeOf(account);
}

/** A word is a token with its space. */
const words = ' hello'.repeat(1_000);
const answered = (content: object) => ({
  messages: [hi, { role: 'assistant', content: [content, { type: 'text', text: 'Hi' }] }, hi],
});
const inputs: [string, object][] = [
  ['a summary', answered({ type: 'compaction', content: words })],
  ['thinking', answered({ type: 'thinking', thinking: words, signature: 'x' })],
  [
    'the result of a tool of another server',
    answered({ type: 'mcp_tool_result', tool_use_id: 'a', content: [{ type: 'text', text: words }] }),
  ],
];
const ofBash: [string, object] = [
  'a tool of the protocol',
  { tools: [{ type: 'bash_20250124', name: 'bash', description: words }] },
];

describe('input that no chat completion has is charged', () => {
  test.each([...inputs, ofBash])('where the caller leaves before a word is said: %s', async (_, body) => {
    for (const stream of [false, true])
      expect((await leave({ model: 'alone', stream, ...body })).inputTokens).toBeGreaterThan(1_000);
  });

  test.each(inputs)('where the provider that reads it has another behind it: %s', async (_, body) => {
    for (const stream of [false, true])
      expect((await leave({ model: 'first', stream, ...body })).inputTokens).toBeGreaterThan(1_000);
  });

  test.each(inputs)(
    'where its provider reports no usage, and not where another one answers: %s',
    async (_, body) => {
      const message = { type: 'message', content: [{ type: 'text', text: 'Hello' }] };
      provider.script(async (wire, { body: { stream } }) => {
        if (!stream) return wire.json(200, message);
        await wire.head();
        await wire.send(
          streamOf([
            { type: 'message_start', message: {} },
            { type: 'content_block_start', index: 0, content_block: message.content[0] },
            { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
            { type: 'message_stop' },
          ]),
        );
        wire.end();
      });
      chat.script((wire) =>
        wire.json(200, { choices: [{ message: { role: 'assistant', content: 'Hello' } }] }),
      );
      for (const [model, stream] of [
        ...[['alone', false] as const, ['alone', true] as const],
        ...[['first', false] as const, ['second', false] as const],
      ]) {
        const account = await newAccount();
        expect(await (await ask(account, { model, stream, ...body })).text()).toContain('Hello');
        const { inputTokens, outputTokens } = await chargeOf(account);
        expect([model, inputTokens! > 1_000, outputTokens]).toEqual([model, model !== 'second', 1]);
      }
    },
  );
});

const paths = ['/v1/messages', '/v1/chat/completions'];

describe.each(paths)(
  'output that nobody can read is charged to a caller of %s who leaves before its usage',
  (path) => {
    const start = { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } };
    const last = { type: 'content_block_start', index: 9, content_block: { type: 'text', text: 'the_last' } };
    /** Without the last words. */
    const outputTokensOf = async (...events: Block[]) => {
      const left = (all: Block[]) => leave({ model: 'alone', stream: true }, [start, ...all, last], path);
      return (await left(events)).outputTokens! - (await left([])).outputTokens!;
    };

    test('by the bytes of thinking that is sealed', async () => {
      const content_block = { type: 'redacted_thinking', data: 'QUJD'.repeat(1_000) };
      expect(await outputTokensOf({ type: 'content_block_start', index: 0, content_block })).toBe(800);
    });

    test('by the estimate of thinking that is not shown', async () => {
      const delta = { type: 'thinking_delta', thinking: '', estimated_tokens: 250 };
      const thinks = { type: 'content_block_delta', index: 0, delta };
      const content_block = { type: 'thinking', thinking: '', signature: '' };
      expect(
        await outputTokensOf({ type: 'content_block_start', index: 0, content_block }, thinks, thinks),
      ).toBe(500);
    });

    test('by estimates, up to what the text leaves of the output that was asked for', async () => {
      const delta = { type: 'thinking_delta', thinking: '', estimated_tokens: 100_000_000 };
      const thinks = { type: 'content_block_delta', index: 0, delta };
      expect(
        (await leave({ model: 'alone', stream: true }, [start, thinks, thinks, last], path)).outputTokens,
      ).toBe(9_000);
    });

    test('but what its provider reports is charged in place of an estimate', async () => {
      const content_block = { type: 'redacted_thinking', data: 'QUJD'.repeat(1_000) };
      provider.script(async (wire) => {
        await wire.head();
        await wire.send(
          streamOf([
            ...[start, { type: 'content_block_start', index: 0, content_block }],
            { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 70 } },
            { type: 'message_stop' },
          ]),
        );
        wire.end();
      });
      const account = await newAccount();
      await (await ask(account, { model: 'alone', stream: true }, { path })).text();
      expect((await chargeOf(account)).outputTokens).toBe(70);
    });
  },
);

/** What the output of an answer costs in one piece whose provider reports no usage. */
async function outputOfWhole(path: string, ...content: object[]) {
  provider.script((wire) => wire.json(200, { type: 'message', content, stop_reason: 'end_turn' }));
  const account = await newAccount();
  expect((await ask(account, { model: 'alone' }, { path })).status).toBe(200);
  return (await chargeOf(account)).outputTokens;
}

describe('an answer in one piece whose provider reports no usage costs what its stream costs', () => {
  const text = { type: 'text', text: 'Hello' };
  const sealed = (characters: number) => ({ type: 'redacted_thinking', data: 'x'.repeat(characters) });

  test.each(paths)('with thinking that is sealed, up to the output that was asked for: %s', async (path) => {
    expect(await outputOfWhole(path, sealed(4_000), text)).toBe(801);
    expect(await outputOfWhole(path, sealed(400_000), text)).toBe(9_000);
  });

  test('with blocks that no chat completion has', async () => {
    expect(await outputOfWhole('/v1/messages', { type: 'compaction', content: words }, text)).toBe(1_001);
  });
});
