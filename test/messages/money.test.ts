import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatService, chatCatalogue, startChatService } from '../chat/support/chat-service.ts';
import { chunk, done, event, plainAnswer, streams } from '../chat/support/chunks.ts';
import { type MessageServer, startMessageServer, text } from '../support/message-server.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

/** One model behind a server of chat completions, and one behind a server of Messages, at the same prices. */
let completions: ScriptedUpstream;
let provider: MessageServer;
let translated: ChatService;
let native: ChatService;

const price = {
  ...{ inputPerMillionTokens: 0.333, outputPerMillionTokens: 1.777 },
  ...{ cachedInputPerMillionTokens: 0.041, cacheWritePerMillionTokens: 0.457 },
};

beforeAll(async () => {
  [completions, provider] = await Promise.all([startUpstream(), startMessageServer()]);
  const [plain, spoken] = [completions, provider].map(({ baseUrl }) => chatCatalogue(baseUrl));
  for (const model of spoken!.models) model.upstream.api = 'messages';
  for (const { models } of [plain!, spoken!]) models[0]!.prices = [price];
  [translated, native] = await Promise.all([startChatService(plain!), startChatService(spoken!)]);
});
afterAll(async () => {
  await Promise.all([translated.close(), native.close()]);
  await Promise.all([completions.close(), provider.close()]);
});

const counts = { input: 1_003, cached: 517, written: 211, output: 77 };
/** To the nano-euro, which is what a thousandth of the price of a million tokens is. */
const costNanoEuro = Math.round(
  counts.input * 333 + counts.cached * 41 + counts.written * 457 + counts.output * 1_777,
);

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"left"}' } };
const chatUsage = {
  prompt_tokens: counts.input + counts.cached + counts.written,
  completion_tokens: counts.output,
  prompt_tokens_details: { cached_tokens: counts.cached, cache_write_tokens: counts.written },
};
const ownUsage = {
  ...{ input_tokens: counts.input, output_tokens: counts.output },
  ...{ cache_read_input_tokens: counts.cached, cache_creation_input_tokens: counts.written },
};

const answersWhole = {
  ...plainAnswer,
  choices: [
    {
      ...{ index: 0, finish_reason: 'tool_calls' },
      message: { role: 'assistant', content: 'Let me look.', tool_calls: [call] },
    },
  ],
  usage: chatUsage,
};
const answersInPieces = streams(
  event(chunk({ role: 'assistant', content: 'Let me look.' })),
  event(chunk({ tool_calls: [{ index: 0, ...call }] })),
  event(chunk({}, 'tool_calls')),
  event({ ...chunk({}), choices: [], usage: chatUsage }),
  done,
);

const messages = [{ role: 'user', content: 'What is on the left?' }];
const parameters = { type: 'object', properties: { at: { type: 'string' } } };
const completion = {
  ...{ model: 'writer', max_tokens: 300, messages },
  tools: [{ type: 'function', function: { name: 'look', parameters } }],
};
const message = {
  ...{ model: 'writer', max_tokens: 300, messages },
  tools: [{ name: 'look', input_schema: parameters }],
};

async function entryOf(service: ChatService, path: string, body: object) {
  const known = new Set((await service.ledger()).map(({ id }) => id));
  const response = await service.post(body, { path });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('look')]);
  const [entry, ...others] = (await service.ledger()).filter(({ id }) => !known.has(id));
  expect(others).toEqual([]);
  const { amountNanoEuro, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } =
    entry as unknown as Record<string, number>;
  return { amountNanoEuro, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens };
}

const rows = [
  ['in one piece', 'a server of chat completions', false, () => translated],
  ['in pieces', 'a server of chat completions', true, () => translated],
  ['in one piece', 'a server of Messages', false, () => native],
  ['in pieces', 'a server of Messages', true, () => native],
] as const;

test.each(rows)(
  'a message with a call and cached input costs, %s, over %s, what the same completion costs, to the nano-euro',
  async (_, __, stream, serviceOf) => {
    const service = serviceOf();
    completions.script(stream ? answersInPieces : (wire) => wire.json(200, answersWhole));
    const called = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'left' } };
    provider.script(() => ({ content: [text('Let me look.'), called], usage: ownUsage }));
    const before = (await service.purse()).balanceNanoEuro;
    const asCompletion = await entryOf(service, '/v1/chat/completions', { ...completion, stream });
    const between = (await service.purse()).balanceNanoEuro;
    const asMessage = await entryOf(service, '/v1/messages', { ...message, stream });
    const after = (await service.purse()).balanceNanoEuro;
    expect(asMessage).toEqual(asCompletion);
    expect([asMessage.amountNanoEuro, between - before, after - between]).toEqual([
      -costNanoEuro,
      -costNanoEuro,
      -costNanoEuro,
    ]);
  },
);
