import { compressionInstruction } from '@errand/chat/testing';
import { createSkill } from '@errand/skills';
import { describe, expect, test } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, readChunks, startChatService } from './support/chat-service.ts';
import { answersPlainly, hello, upstreamUsage } from './support/chunks.ts';
import { useChat } from './support/use-chat.ts';

let upstream: ScriptedUpstream;
let service: ChatService;
useChat((chat) => {
  ({ upstream, service } = chat);
});

const messages = [{ role: 'user', content: 'Say hello' }];
const invalid = (code: string, param: string | null) => ({
  error: { message: expect.any(String), type: 'invalid_request_error', code, param },
});

describe('400', () => {
  test.each<[string, string, object]>([
    ['no JSON', '{"model":', invalid('malformed_json', null)],
    ['no UTF-8 escapes', '{"a":"\\u12"}', invalid('malformed_json', null)],
    ['a list', '[]', invalid('invalid_request', null)],
    ['null', 'null', invalid('invalid_request', null)],
    ['no model', JSON.stringify({ messages }), invalid('invalid_request', 'model')],
    ['a model that is no text', JSON.stringify({ model: 1, messages }), invalid('invalid_request', 'model')],
    ['no messages', JSON.stringify({ model: 'writer' }), invalid('invalid_request', 'messages')],
    [
      'empty messages',
      JSON.stringify({ model: 'writer', messages: [] }),
      invalid('invalid_request', 'messages'),
    ],
    [
      'a message without role',
      JSON.stringify({ model: 'writer', messages: [{ content: 'x' }] }),
      invalid('invalid_request', 'messages[0].role'),
    ],
    [
      'stream options in a list',
      JSON.stringify({ model: 'writer', messages, stream_options: [] }),
      invalid('invalid_request', 'stream_options'),
    ],
    [
      'a stream that is no truth value',
      JSON.stringify({ model: 'writer', messages, stream: 'yes' }),
      invalid('invalid_request', 'stream'),
    ],
    ['an unknown model', JSON.stringify({ model: 'nobody', messages }), invalid('model_not_found', 'model')],
    [
      'a variant that does not exist',
      JSON.stringify({ model: 'eyes-compressed', messages }),
      invalid('model_not_found', 'model'),
    ],
    [
      'a speech model',
      JSON.stringify({ model: 'ears', messages }),
      invalid('model_kind_unsupported', 'model'),
    ],
    [
      'a skill that is none',
      JSON.stringify({ model: 'writer', messages, skills: null }),
      invalid('skill_param_invalid', 'skills'),
    ],
    ['too deep', `{"a":${'['.repeat(1_001)}${']'.repeat(1_001)}}`, invalid('nested_too_deep', null)],
  ])('%s', async (_, body, answer) => {
    const response = await service.post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(answer);
  });

  test('names a skill that is unknown', async () => {
    const response = await service.post({ model: 'writer', messages, skills: 'nothing' });
    expect(await response.json()).toMatchObject({ error: { code: 'skill_unresolved', reason: 'unknown' } });
  });
});

test('413: a body over the limit', async () => {
  const response = await service.post(
    JSON.stringify({ model: 'writer', messages, pad: 'x'.repeat(6 * 1024 * 1024) }),
  );
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual(invalid('body_too_large', null));
});

test('401 comes before everything', async () => {
  const response = await service.post('{"model":', { key: 'wrong' });
  expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
});

test('402 comes before the body', async () => {
  const { key } = await newTestAccount(service.deps.accounts, { credits: '0' });
  const response = await service.post('{"model":', { key });
  expect([response.status, await response.json()]).toEqual([
    402,
    { error: 'No remaining credits (EUR)', available: '0', needed: '0.000000001' },
  ]);
});

test('429 comes before the credits', async () => {
  const limited = await startChatService(chatCatalogue(upstream.baseUrl), { rateLimitRequests: 1 });
  try {
    const { key } = await newTestAccount(limited.deps.accounts, { credits: '0' });
    expect((await limited.post({}, { key })).status).toBe(402);
    const response = await limited.post({}, { key });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe(response.headers.get('ratelimit-reset'));
    expect(await response.text()).toBe('Too many requests, please try again later.');
  } finally {
    await limited.close();
  }
});

test('503: a skills field where skills are switched off', async () => {
  const { deps } = service;
  const off = await startChatService(deps.catalogue);
  off.deps.skills.skillsEnabled = false;
  try {
    const response = await off.post({ model: 'writer', messages, skills: 'x' });
    expect([response.status, await response.text()]).toEqual([503, 'Skills are not enabled']);
  } finally {
    await off.close();
  }
});

describe('what reaches the upstream', () => {
  test('is what was sent, byte for byte, but for the model', async () => {
    upstream.script(answersPlainly);
    const sent =
      '{ "messages": [{"role":"user","content":"a\\u00e9","name":"x"}],\n "seed": 12345678901234567890, "temperature": 1.0, "model":"writer", "vendor": {"a": [1.50]} }';
    await service.post(sent);
    expect(upstream.requests[0]?.text).toBe(
      '{"messages": [{"role":"user","content":"a\\u00e9","name":"x"}],"seed": 12345678901234567890,"temperature": 1.0,"vendor": {"a": [1.50]},"model":"upstream-writer"}',
    );
    expect(upstream.requests[0]?.path).toBe('/v1/chat/completions');
  });

  test('has the skill in the system message, and no skills field', async () => {
    upstream.script(hello);
    const { accounts, skills } = service.deps;
    await createSkill(
      skills,
      { scope: 'user', accountId: service.accountId },
      { name: 'brief', instructions: 'Be brief.' },
    );
    const response = await service.post({ model: 'writer', stream: true, messages, skills: 'brief' });
    expect(response.headers.get('x-skill')).toBe('brief');
    expect(response.headers.get('x-skill-version')).toBe('1');
    expect(response.headers.get('ratelimit-limit')).toBe(String(accounts.rateLimitRequests));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(readChunks(await response.text()).done).toBe(true);
    const body: Record<string, unknown> = upstream.requests[0]?.body ?? {};
    expect(body).not.toHaveProperty('skills');
    expect(body.messages).toEqual([
      { role: 'system', content: '<user_skill>\nBe brief.\n</user_skill>' },
      ...messages,
    ]);
  });

  test.each([
    [
      'without a system message',
      messages,
      (instruction: string) => [{ role: 'system', content: instruction }, ...messages],
    ],
    [
      'with one',
      [{ role: 'system', content: 'Be kind.' }, ...messages],
      (instruction: string) => [{ role: 'system', content: `Be kind.\n\n${instruction}` }, ...messages],
    ],
    [
      'with one in parts',
      [{ role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] }, ...messages],
      (instruction: string) => [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be kind.' },
            { type: 'text', text: instruction },
          ],
        },
        ...messages,
      ],
    ],
  ])('tells the model of a compressed variant to be brief, %s', async (_, given, expected) => {
    upstream.script(answersPlainly);
    const response = await service.post({ model: 'writer-compressed', messages: given });
    expect(await response.json()).toMatchObject({ model: 'writer-compressed', usage: upstreamUsage });
    const body: Record<string, unknown> = upstream.requests[0]?.body ?? {};
    expect(body.model).toBe('upstream-writer');
    expect(body.messages).toEqual(expected(compressionInstruction));
  });

  test('has every byte of the messages that neither a skill nor a variant changes', async () => {
    upstream.script(answersPlainly);
    const odd =
      '{"role":"user","zz":12345678901234567890,"f":1.0,"10":1,"2":2,"__proto__":{"a":1},"content":"\\u0041"}';
    const prompt = (content: string) => `{"x":1e400,"role":"system","content":${content}}`;
    const block = '<user_skill>\nBe brief.\n</user_skill>';
    const part = '{"type":"text","text":"a","n":1.0,"big":12345678901234567890}';
    const added = [block, compressionInstruction].map((text) => JSON.stringify({ type: 'text', text }));
    for (const [given, expected] of [
      ['"Be kind."', JSON.stringify(`Be kind.\n\n${block}\n\n${compressionInstruction}`)],
      [`[${part} ]`, `[${[part, ...added].join(',')}]`],
    ] as const) {
      upstream.requests.length = 0;
      const response = await service.post(
        `{"messages":[1],"model":"writer-compressed","skills":"brief","mess\\u0061ges":[${prompt(given)}, ${odd}]}`,
      );
      expect(response.status).toBe(200);
      expect(upstream.requests[0]?.text).toBe(
        `{"model":"upstream-writer","messages":[${prompt(expected)},${odd}]}`,
      );
    }
  });
});
