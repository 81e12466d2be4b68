import { silentLog } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MessageServer,
  messageUsage,
  says,
  startMessageServer,
  text,
} from '../../../test/support/message-server.ts';
import { type ScriptedUpstream, startUpstream } from '../../../test/support/scripted-upstream.ts';
import type { Model, ModelUpstream } from '../catalogue.ts';
import { completeChat } from '../complete-chat.ts';
import { parseCatalogue } from '../parse-catalogue.ts';

let server: MessageServer;
let other: ScriptedUpstream;
const deps = { clock: Object.assign(() => 0, { wait: async () => {} }), log: silentLog };

beforeAll(async () => {
  [server, other] = await Promise.all([startMessageServer(), startUpstream()]);
});
afterAll(() => Promise.all([server.close(), other.close()]));

function modelOf(own: Partial<ModelUpstream> = {}): Model {
  const upstream = { baseUrl: server.baseUrl, model: 'claude', apiKeyEnv: 'KEY', api: 'messages', ...own };
  const fallbacks = [{ baseUrl: other.baseUrl, model: 'other', apiKeyEnv: 'KEY' }];
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const entry = { id: 'claude', kind: 'chat', upstream, fallbacks, price };
  return parseCatalogue({ models: [entry] }, () => 'sk-secret').models[0]!;
}

const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
const thought = { type: 'thinking', thinking: 'Hm', signature: 'sig' };
const asked = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Look' },
];
const tools = [{ type: 'function', function: { name: 'look' } }];

test('a completion by Messages has its text, calls, usage and what goes back', async () => {
  server.script(() => ({
    content: [thought, text('So.'), call],
    usage: { ...messageUsage, cache_read_input_tokens: 4 },
  }));
  const completion = await completeChat(deps, modelOf(), { messages: asked, tools, max_tokens: 50 });
  expect(completion).toMatchObject({
    finishReason: 'tool_calls',
    usage: { inputTokens: 24, cachedInputTokens: 4, outputTokens: 5 },
    message: {
      content: 'So.',
      tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      opaque: { message: { thinking_blocks: [thought] } },
    },
  });
  expect(server.requests[0]?.body).toMatchObject({ model: 'claude', max_tokens: 50, stream: false });
});

test('a completion by Messages without usage is counted with the thinking that nobody can read, up to what it may write', async () => {
  const sealed = { type: 'redacted_thinking', data: 'QUJD'.repeat(500) };
  server.script(() => ({ content: [sealed, text('So.')], usage: {} }));
  const outputTokens = async (max_tokens: number) =>
    (await completeChat(deps, modelOf(), { messages: asked, max_tokens })).usage.outputTokens;
  expect([await outputTokens(1_000), await outputTokens(50)]).toEqual([402, 50]);
});

test('a conversation by Messages has thinking and marks of caches where they belong, and none elsewhere', async () => {
  const model = modelOf({ caching: 'anthropic' });
  server.script((_, number) => (number === 1 ? { content: [thought, call] } : says('A dot.')));
  const options = { cacheKey: 'run' };
  const { message } = await completeChat(deps, model, { messages: asked, tools }, options);
  const messages = [...asked, message, { role: 'tool', tool_call_id: 'toolu_1', content: 'a dot' }];
  await completeChat(deps, model, { messages, tools }, options);
  expect(server.refused).toEqual([]);
  const mark = { cache_control: { type: 'ephemeral' } };
  expect(server.requests[1]?.body).toMatchObject({
    max_tokens: 4_096,
    system: [{ ...text('Be kind.'), ...mark }],
    messages: [
      { role: 'user', content: [{ ...text('Look'), ...mark }] },
      { role: 'assistant', content: [thought, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a dot', ...mark }] },
    ],
  });
  server.script(() => ({ status: 529, type: 'overloaded_error' }));
  const choices = [{ message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
  other.script((wire) => wire.json(200, { choices, usage: { prompt_tokens: 1, completion_tokens: 1 } }));
  const answer = await completeChat(deps, model, { messages, tools }, options);
  expect(answer.message).toEqual({ role: 'assistant', content: 'hi' });
  expect(other.requests[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'other' } });
  expect(other.requests[0]?.text).not.toMatch(/sig|Hm|cache_control/);
});

test('a completion by Messages that cannot be read is tried again, and then fails', async () => {
  server.script(() => ({ stream: 'data: {}\n\n' }));
  other.script((wire) => wire.json(503, {}));
  await expect(completeChat(deps, modelOf(), { messages: asked }, { attempts: 2 })).rejects.toThrow();
  expect(server.requests).toHaveLength(2);
});
