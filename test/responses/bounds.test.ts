import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import type { ChatService } from '../chat/support/chat-service.ts';
import { answersPlainly } from '../chat/support/chunks.ts';
import { useChat } from '../chat/support/use-chat.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const ask = (more: object) =>
  service.post({ model: 'writer', input: 'Hi', ...more }, { path: '/v1/responses' });
const chat = (more: object) =>
  service.post({ model: 'writer', messages: [{ role: 'user', content: 'Hi' }], ...more });

const text = (characters: number) => 'x'.repeat(characters);
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

const { markCharacters: mark, metadataKeyCharacters, metadataValueCharacters, metadataEntries } = limits;

/** A field at its bound, the same past it, and the place that the refusal names. */
const marks: [string, object, object, string][] = [
  ['user', { user: text(mark) }, { user: text(mark + 1) }, 'user'],
  [
    'safety_identifier',
    { safety_identifier: text(limits.safetyIdentifierCharacters) },
    { safety_identifier: text(limits.safetyIdentifierCharacters + 1) },
    'safety_identifier',
  ],
  [
    'prompt_cache_key',
    { prompt_cache_key: text(limits.promptCacheKeyCharacters) },
    { prompt_cache_key: text(limits.promptCacheKeyCharacters + 1) },
    'prompt_cache_key',
  ],
  [
    'metadata of many entries',
    { metadata: entries(metadataEntries) },
    { metadata: entries(metadataEntries + 1) },
    'metadata',
  ],
  [
    'metadata with a long key',
    { metadata: { [text(metadataKeyCharacters)]: 'v' } },
    { metadata: { [text(metadataKeyCharacters + 1)]: 'v' } },
    'metadata',
  ],
  [
    'metadata with a long value',
    { metadata: { a: text(metadataValueCharacters) } },
    { metadata: { a: text(metadataValueCharacters + 1) } },
    'metadata',
  ],
];

const refusalOf = async (answer: Response) => {
  expect(answer.status).toBe(400);
  return ((await answer.json()) as { error: { param: string | null; type: string; message: string } }).error;
};

describe.each([
  ['a response', ask],
  ['a chat completion', chat],
])('%s', (_, send) => {
  test.each(marks)('takes %s at its bound, and refuses more by its place', async (_, most, more, param) => {
    upstream.script(answersPlainly);
    expect((await send(most)).status).toBe(200);
    const refused = await refusalOf(await send(more));
    expect(refused).toMatchObject({ type: 'invalid_request_error' });
    expect(refused.param).toMatch(new RegExp(`^${param}`));
    expect(JSON.stringify(refused).length).toBeLessThan(1_000);
  });
});

test.each<[string, object, string]>([
  ['reasoning.summary', { reasoning: { summary: text(10) } }, 'reasoning.summary'],
  ['reasoning.effort', { reasoning: { effort: text(mark + 1) } }, 'reasoning.effort'],
  ['text.verbosity', { text: { verbosity: text(mark + 1) } }, 'text.verbosity'],
  ['service_tier', { service_tier: text(mark + 1) }, 'service_tier'],
  ['include', { include: Array.from({ length: 17 }, () => 'reasoning.encrypted_content') }, 'include'],
  ['model', { model: text(mark + 1) }, 'model'],
  ['metadata that is no text', { metadata: { a: 1 } }, 'metadata.a'],
  ['metadata in a list', { metadata: ['a'] }, 'metadata'],
])('a response refuses a longer %s than OpenAI takes', async (_, more, param) => {
  expect(await refusalOf(await ask(more))).toMatchObject({ type: 'invalid_request_error', param });
});

test.each<[string, object]>([
  [
    'annotations',
    {
      input: [
        {
          role: 'assistant',
          content: [{ type: 'output_text', text: 'a', annotations: [{ url: text(600_000) }] }],
        },
      ],
    },
  ],
  ['an id of an item', { input: [{ role: 'user', content: 'a', id: text(600_000) }] }],
  ['a field of an item that nobody knows', { input: [{ role: 'user', content: 'a', more: text(600_000) }] }],
  [
    'reasoning that was encrypted elsewhere',
    {
      input: [
        { role: 'user', content: 'a' },
        { type: 'reasoning', summary: [], encrypted_content: text(600_000) },
      ],
    },
  ],
  ['a field of a tool that nobody knows', { tools: [{ type: 'function', name: 'a', more: text(600_000) }] }],
  ['a field of the format that nobody knows', { text: { format: { type: 'text', more: text(600_000) } } }],
  [
    'a field of the choice that nobody knows',
    {
      tools: [{ type: 'function', name: 'a' }],
      tool_choice: { type: 'function', name: 'a', more: text(600_000) },
    },
  ],
])('a response that would keep more than its model reads is refused: %s', async (_, more) => {
  const before = upstream.requests.length;
  expect((await refusalOf(await ask(more))).message).toMatch(/bytes that its model does not read/);
  expect(upstream.requests).toHaveLength(before);
});

test('a response takes a long conversation with the ids and annotations of earlier answers', async () => {
  upstream.script(answersPlainly);
  const annotations = [
    { type: 'url_citation', url: 'https://example.com/a', title: 'A', start_index: 0, end_index: 1 },
  ];
  const id = `msg_${text(60)}`;
  const said = {
    type: 'message',
    status: 'completed',
    role: 'assistant',
    id,
    content: [{ type: 'output_text', text: 'Yes.', annotations, logprobs: [] }],
  };
  const input = Array.from({ length: 3_000 }, () => said);
  expect((await ask({ input: [...input, { role: 'user', content: 'Hi' }] })).status).toBe(200);
});
