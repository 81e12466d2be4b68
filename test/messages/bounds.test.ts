import { parseCatalogue } from '@errand/models';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChatService, startChatService } from '../chat/support/chat-service.ts';
import { answersPlainly } from '../chat/support/chunks.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  upstream = await startUpstream();
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const model = (id: string, more: object = {}) => ({
    ...{
      id,
      kind: 'chat',
      price,
      upstream: { baseUrl: upstream.baseUrl, model: 'upstream-writer' },
      ...more,
    },
  });
  const models = [
    model('writer'),
    model('small', { contextTokens: 32_768 }),
    model('capped', { contextTokens: 32_768, maxOutputTokens: 1_000 }),
  ];
  service = await startChatService(parseCatalogue({ models }, () => undefined));
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});
beforeEach(() => upstream.script(answersPlainly));

const ask = (more: object) =>
  service.post(
    { model: 'writer', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }], ...more },
    { path: '/v1/messages' },
  );

const withHeaders = (headers: Record<string, string>) =>
  fetch(`${service.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'X-Api-Key': service.key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'writer', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }),
  });

const refusalOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { type: string; message: string } };
  expect([answer.status, error.type]).toEqual([400, 'invalid_request_error']);
  expect(error.message.length).toBeLessThan(1_000);
  return error.message;
};

const text = (characters: number) => 'x'.repeat(characters);
const { markCharacters: mark, anthropicBetaCharacters: betas } = limits;

test.each<[string, object, object, string]>([
  [
    'metadata.user_id',
    { metadata: { user_id: text(mark) } },
    { metadata: { user_id: text(mark + 1) } },
    `must have at most ${mark} characters`,
  ],
  ['max_tokens', { max_tokens: 1 }, { max_tokens: 0 }, 'must be at least 1'],
  ['top_k', { top_k: 0 }, { top_k: -1 }, 'must be at least 0'],
])('a message takes %s at its bound, and refuses more by its place', async (field, most, more, problem) => {
  expect((await ask(most)).status).toBe(200);
  expect(await refusalOf(await ask(more))).toBe(`${field}: ${problem}`);
});

test.each<[string, object]>([
  ['max_tokens: is required', { max_tokens: undefined }],
  ['max_tokens: must be a whole number', { max_tokens: 1.5 }],
  ['max_tokens: must be a number', { max_tokens: '9' }],
  [`model: must have at most ${mark} characters`, { model: text(mark + 1) }],
  ['model: must not be empty', { model: '' }],
  ['messages: must be a list of messages', { messages: 'Hi' }],
  ['messages: must have at least one message', { messages: [] }],
  ['messages[0]: must be an object', { messages: ['Hi'] }],
  ['system: must be a string or a list of blocks', { system: 1 }],
  ['tools: must be a list of tools', { tools: {} }],
  ['tool_choice: must be an object', { tool_choice: 'auto' }],
  ['thinking: must be an object', { thinking: 'adaptive' }],
  ['stop_sequences: must be a list of strings', { stop_sequences: 'x' }],
  ['stream: must be true or false', { stream: 'yes' }],
  ['metadata: must be an object', { metadata: ['a'] }],
  ...[
    [{ role: 'user', content: [{ type: 'hologram' }] }],
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }],
    [{ role: 'user', content: '' }],
    [{ role: 'system', content: 'Be brief.' }],
  ].map((messages): [string, object] => [
    'messages: must have a text, or another block that is known here',
    { messages },
  ]),
  [
    'tools[0].type: must be custom: a tool has its name and input_schema beside its type',
    { tools: [{ type: 'function', function: { name: 'look_up' } }] },
  ],
])('a message is refused: %s', async (said, more) => {
  expect(await refusalOf(await ask(more))).toBe(said);
  expect(upstream.requests).toEqual([]);
});

test('a run is not started by a message, which says where it is', async () => {
  expect(await refusalOf(await ask({ model: 'agent:default' }))).toBe(
    'model: agent:default is a run, which Messages do not start: POST /v1/agents/runs or /v1/responses',
  );
});

test('any number of fields that are not known is left out for a translated model', async () => {
  const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, i]));
  expect((await ask({ ...fields, Max_Tokens: 1, fallbacks: ['x'], container: 'c' })).status).toBe(200);
  expect(Object.keys(upstream.requests[0]?.body ?? {}).sort()).toEqual(['max_tokens', 'messages', 'model']);
});

describe('headers for providers', () => {
  test('are taken up to their bounds', async () => {
    expect((await withHeaders({ 'anthropic-beta': text(betas) })).status).toBe(200);
    expect((await withHeaders({ 'anthropic-beta': '', 'anthropic-version': '' })).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    [`anthropic-beta: must have at most ${betas} characters`, { 'anthropic-beta': text(betas + 1) }],
    ['anthropic-beta: must be visible ASCII', { 'anthropic-beta': 'caf\u00e9' }],
    [`anthropic-version: must have at most ${mark} characters`, { 'anthropic-version': text(mark + 1) }],
  ])('are refused: %s', async (said, headers) => {
    expect(await refusalOf(await withHeaders(headers))).toBe(said);
  });
});

describe('what a client asks for that its model cannot write', () => {
  test.each([
    ['writer', 1_000_000, 1_000_000],
    ['small', 9_000, 9_000],
    ['capped', 32_000, 1_000],
  ])('%s is told at most what it can: of %i, %i', async (model, max_tokens, told) => {
    expect((await ask({ model, max_tokens })).status).toBe(200);
    expect(upstream.requests[0]?.body.max_tokens).toBe(told);
  });

  test('is what a long conversation leaves, or half of its context', async () => {
    const messages = [{ role: 'user', content: text(30_000) }];
    expect((await ask({ model: 'small', max_tokens: 32_000, messages })).status).toBe(200);
    expect(upstream.requests[0]?.body.max_tokens).toBe(16_384);
  });
});
