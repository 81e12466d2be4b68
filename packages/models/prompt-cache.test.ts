import { silentLog } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream } from '../../test/support/scripted-upstream.ts';
import { completeChat } from './complete-chat.ts';
import { parseCatalogue } from './parse-catalogue.ts';

let upstream: ScriptedUpstream;
const deps = { clock: Object.assign(() => 0, { wait: async () => {} }), log: silentLog };

beforeAll(async () => {
  upstream = await startUpstream();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.script((wire) =>
    wire.json(200, {
      choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    }),
  );
});
afterAll(() => upstream.close());

const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };

const problemsWith = (kind: string, caching: string) => {
  const one = { baseUrl: 'http://model.test/v1', model: 'm', caching };
  return () =>
    parseCatalogue(
      { models: [{ id: 'm', kind, upstream: one, price: { ...price, perSecond: 1 } }] },
      () => 'k',
    );
};

async function sentWith(
  caching: string | undefined,
  messages: readonly object[],
  cacheKey: string | undefined,
) {
  const entry = {
    id: 'm',
    kind: 'chat',
    upstream: { baseUrl: upstream.baseUrl, model: 'm', caching },
    price,
  };
  const [model] = parseCatalogue({ models: [entry] }, () => 'k').models;
  await completeChat(deps, model!, { messages: messages as never }, { cacheKey });
  return upstream.requests.at(-1)!.body as { messages: { content: unknown }[]; prompt_cache_key?: string };
}

const call = { id: 'a', type: 'function', function: { name: 'page', arguments: '{}' } };
const opening = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'When?' },
];
const second = [
  ...opening,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'At noon.' },
];
const third = [...second, { role: 'assistant', content: 'Noon.' }, { role: 'user', content: 'Sure?' }];

const markedIn = ({ messages }: { messages: { content: unknown }[] }) =>
  messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap(({ text, cache_control }) => (cache_control?.type === 'ephemeral' ? text : []))
      : [],
  );

test('an upstream with the marks of Anthropic gets them on the system prompt, where the request before ended, and at the end', async () => {
  const marks = [];
  for (const messages of [opening, second, third])
    marks.push(markedIn(await sentWith('anthropic', messages, 'run')));
  expect(marks).toEqual([
    ['Be kind.', 'When?'],
    ['Be kind.', 'When?', 'At noon.'],
    ['Be kind.', 'At noon.', 'Sure?'],
  ]);
});

test('a mark changes nothing but the form of its message, and no empty text has one', async () => {
  const silent = [...second.slice(0, -1), { role: 'tool', tool_call_id: 'a', content: '' }];
  const { messages } = await sentWith('anthropic', silent, 'run');
  expect(messages.slice(2)).toEqual(silent.slice(2));
  expect(messages[1]).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'When?', cache_control: { type: 'ephemeral' } }],
  });
});

test('an upstream with the key of OpenAI gets it, and the messages as they are', async () => {
  expect(await sentWith('openai', third, 'run')).toMatchObject({ prompt_cache_key: 'run', messages: third });
});

test.each([
  ['that names no caching', undefined, 'run'],
  ['whose request belongs to no run', 'anthropic', undefined],
  ['whose request has no key', 'openai', undefined],
])('an upstream %s gets neither marks nor a key', async (_, caching, cacheKey) => {
  const body = await sentWith(caching, third, cacheKey);
  expect(body.messages).toEqual(third);
  expect(body).not.toHaveProperty('prompt_cache_key');
});

test('a catalogue is told of a caching that is not known, and of one that only runs have', () => {
  expect(problemsWith('chat', 'own')).toThrow(/models\[0\]\.upstream\.caching must be anthropic or openai/);
  for (const kind of ['speech', 'decision', 'embedding'])
    expect(problemsWith(kind, 'openai')).toThrow(
      /models\[0\]\.upstream\.caching is for chat and vision models/,
    );
});
