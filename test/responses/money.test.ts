import OpenAI from 'openai';
import { expect, test, vi } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { chunk, done, event, hello, streams } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import { newTestAccount } from '../support/accounts.ts';
import type { ScriptedUpstream, UpstreamScript } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const client = (apiKey: string) => new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey, maxRetries: 0 });
const accountWith = (credits: string) => newTestAccount(service.deps.accounts, { credits });
const input = 'Say hello';
const messages = [{ role: 'user' as const, content: input }];

/** What an account is charged for a stream that its caller reads until `isEnough`. */
async function chargeOf(
  open: (key: string) => Promise<AsyncIterable<object> & { controller: AbortController }>,
  isEnough: (text: string) => boolean,
) {
  const account = await accountWith('1');
  const stream = await open(account.key);
  let text = '';
  for await (const one of stream) {
    text += JSON.stringify(one);
    if (isEnough(text)) stream.controller.abort();
  }
  await upstreamClosed;
  const { inputTokens, outputTokens, amountNanoEuro, brokenOff } = await vi.waitFor(async () => {
    const charge = (await service.ledger(account)).find(({ kind }) => kind === 'completion');
    if (!charge) throw new Error('not charged yet');
    return charge;
  }, 60_000);
  return { inputTokens, outputTokens, amountNanoEuro, brokenOff };
}

let upstreamClosed: Promise<void>;
const begins: UpstreamScript = async (wire) => {
  upstreamClosed = wire.closed;
  await wire.head();
  await wire.send(event(chunk({ role: 'assistant', content: 'Hello there' })));
};

test('a caller who leaves pays for what was delivered, as in chat, and nothing is kept', async () => {
  upstream.script(begins);
  const asResponse = await chargeOf(
    (key) => client(key).responses.create({ model: 'writer', input, stream: true }),
    (text) => text.includes('Hello there'),
  );
  const asChat = await chargeOf(
    (key) => client(key).chat.completions.create({ model: 'writer', messages, stream: true }),
    (text) => text.includes('Hello there'),
  );
  expect(asResponse).toMatchObject({ outputTokens: 2, brokenOff: true });
  expect(asResponse).toEqual(asChat);
});

test('without credits no provider is asked, and nothing is kept', async () => {
  upstream.script(hello);
  const { key } = await accountWith('0');
  for (const stream of [true, false]) {
    const asked = client(key).responses.create({ model: 'writer', input, stream });
    await expect(asked).rejects.toMatchObject({ status: 402 });
  }
  expect(upstream.requests).toEqual([]);
});

test('a stream ends as incomplete where its credits do, and never below zero', async () => {
  const word = event(chunk({ content: ' hello'.repeat(10) }));
  upstream.script(streams(...Array.from({ length: 20 }, () => word), event(chunk({}, 'stop')), done));
  const account = await accountWith('0.0001');
  const stream = await client(account.key).responses.create({ model: 'writer', input, stream: true });
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const one of stream) events.push(one);
  expect(events.at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: { incomplete_details: { reason: 'max_output_tokens' }, output: [{ status: 'incomplete' }] },
  });
  expect((await service.purse(account)).balanceNanoEuro).toBeGreaterThanOrEqual(0);
});

test('an answer that was refused costs nothing and is not kept', async () => {
  upstream.script((wire) => wire.json(400, { error: { message: 'No.', code: 'bad' } }));
  const account = await accountWith('1');
  const asked = client(account.key).responses.create({ model: 'writer', input });
  await expect(asked).rejects.toMatchObject({ status: 400, code: 'bad' });
  expect((await service.ledger(account)).filter(({ kind }) => kind === 'completion')).toEqual([]);
});
