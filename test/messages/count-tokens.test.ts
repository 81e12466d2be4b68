import Anthropic from '@anthropic-ai/sdk';
import { createKey } from '@errand/accounts';
import { parseCatalogue } from '@errand/models';
import { type KeyLimits, limits } from '@errand/platform';
import { createSkill } from '@errand/skills';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChatService,
  chatCatalogue,
  secretKey,
  startChatService,
} from '../chat/support/chat-service.ts';
import { newTestAccount } from '../support/accounts.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';

let upstream: ScriptedUpstream;
let other: ScriptedUpstream;
let service: ChatService;

beforeAll(async () => {
  upstream = await startUpstream();
  other = await startUpstream();
  const { models } = chatCatalogue(upstream.baseUrl);
  const native = { baseUrl: upstream.baseUrl, model: 'upstream-claude', apiKeyEnv: 'KEY', api: 'messages' };
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const claude = { id: 'claude', kind: 'vision', price, upstream: native };
  const read = parseCatalogue(
    { models: [{ ...claude, fallbacks: [{ ...native, baseUrl: other.baseUrl }] }] },
    () => secretKey,
  );
  const small = { ...models[0]!, id: 'small', contextTokens: 1_000 };
  service = await startChatService({ models: [...models, ...read.models, small], roles: {} });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
  await other.close();
});
beforeEach(() => {
  upstream.script((wire) => wire.json(500, {}));
  other.script((wire) => wire.json(200, { input_tokens: 1 }));
});

const messages = [{ role: 'user' as const, content: 'Say hello' }];
const path = '/v1/messages/count_tokens';
const count = (body: object, options: object = {}) =>
  service.post({ model: 'writer', messages, ...body }, { path, ...options });
const tokensOf = async (body: object): Promise<number> => {
  const response = await count(body);
  expect(response.status).toBe(200);
  return ((await response.json()) as { input_tokens: number }).input_tokens;
};

const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const word = 'one two three four five six seven eight nine ten';

describe('a translated model', () => {
  test('is counted here: its text, its tools, and a flat number for each picture', async () => {
    const hello = await tokensOf({});
    const said = (content: unknown) => tokensOf({ messages: [{ role: 'user', content }] });
    expect(hello).toBeGreaterThanOrEqual(6);
    expect(hello).toBeLessThan(20);
    expect(await said(`Say hello ${word}`)).toBe(hello + 10);
    expect(await said([{ type: 'text', text: 'Say hello' }, png, png])).toBe(hello + 2 * 765);
    expect(await tokensOf({ tools: [{ name: 'add', input_schema: { type: 'object' } }] })).toBeGreaterThan(
      hello,
    );
    expect(upstream.requests).toEqual([]);
  });

  test('is counted as far as it may be read', async () => {
    const content = ` ${word}`.repeat(500);
    expect(await tokensOf({ model: 'small', messages: [{ role: 'user', content }] })).toBe(1_501);
  });

  test('is counted by Anthropic’s client', async () => {
    const client = new Anthropic({ baseURL: service.baseUrl, apiKey: service.key, maxRetries: 0 });
    const counted = await client.messages.countTokens({ model: 'writer', messages });
    expect(counted).toEqual({ input_tokens: await tokensOf({}) });
  });

  test('is counted with the tokens of its skill', async () => {
    const owner = { scope: 'user' as const, accountId: service.accountId };
    await createSkill(service.deps.skills, owner, { name: 'counted', instructions: word });
    const response = await count({ skills: 'counted' });
    const added = Number(response.headers.get('X-Skill-Injected-Tokens'));
    expect(added).toBeGreaterThan(10);
    expect(await response.json()).toEqual({ input_tokens: (await tokensOf({})) + added });
  });
});

test('counting costs nothing, needs no credits, and counts in the rate', async () => {
  const account = await newTestAccount(service.deps.accounts, { credits: '0' });
  const before = await service.purse(account);
  for (let asked = 1; asked <= 2; asked++) {
    const response = await count({}, { key: account.key });
    expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([
      200,
      String(limits.requestsPerWindow - asked),
    ]);
    expect(response.headers.get('Request-Id')).toBe(response.headers.get('X-Request-Id'));
  }
  const { balanceNanoEuro, holds } = await service.purse(account);
  expect([balanceNanoEuro, holds]).toEqual([before.balanceNanoEuro, before.holds]);
  expect((await service.ledger(account)).filter(({ kind }) => kind === 'completion')).toEqual([]);
});

describe('a native model', () => {
  test('is counted by its upstream, which is told what it counts by', async () => {
    upstream.script((wire) => wire.json(200, { input_tokens: 1234 }));
    const body = {
      ...{ model: 'claude', system: 'Be kind.', context_management: { edits: [] } },
      ...{ max_tokens: 5, temperature: 1, stream: true, metadata: { user_id: 'u' } },
    };
    expect(await tokensOf(body)).toBe(1234);
    const [asked] = upstream.requests;
    expect([asked?.path, asked?.headers['x-api-key']]).toEqual(['/v1/messages/count_tokens', secretKey]);
    expect(asked?.body).toEqual({
      ...{ model: 'upstream-claude', messages, system: 'Be kind.', context_management: { edits: [] } },
    });
  });

  test.each([401, 403, 402])(
    'is counted here where its upstream refuses our key by a %i, and the operator is told',
    async (status) => {
      service.clock.advance(3_600_000);
      service.log.length = 0;
      upstream.script((wire) => wire.json(status, { error: { message: `no ${secretKey} for Say hello` } }));
      expect(await tokensOf({ model: 'claude' })).toBe(await tokensOf({}));
      expect(service.log).toMatchObject([
        {
          ...{ level: 'error', message: 'upstream does not accept our set-up', model: 'claude', status },
          ...{ apiKeyEnv: 'KEY', address: expect.stringContaining('127.0.0.1') },
        },
      ]);
      expect(JSON.stringify(service.log)).not.toMatch(new RegExp(`${secretKey}|Say hello`));
      expect(other.requests).toEqual([]);
    },
  );

  test.each<[string, UpstreamScript]>([
    ['does not count', (wire) => wire.json(404, { type: 'error', error: { type: 'not_found_error' } })],
    ['refuses', (wire) => wire.json(400, { type: 'error', error: { type: 'invalid_request_error' } })],
    ['fails', (wire) => wire.json(529, {})],
    ['breaks', (wire) => wire.reset()],
    ['says nothing that can be read', (wire) => wire.json(200, '{"input_tokens":')],
    ['counts less than nothing', (wire) => wire.json(200, { input_tokens: -1 })],
    ['answers null', (wire) => wire.json(200, 'null')],
  ])('is counted here where its upstream %s, and no other is asked', async (_, script) => {
    upstream.script(script);
    service.log.length = 0;
    expect(await tokensOf({ model: 'claude' })).toBe(await tokensOf({}));
    expect(other.requests).toEqual([]);
    expect(service.log).toEqual([]);
  });
});

test('a path without a route counts in the rate, and is refused over it in the envelope of the protocol', async () => {
  const few = await startChatService({ models: [], roles: {} }, { rateLimitRequests: 1 });
  try {
    const answers: unknown[] = [];
    for (let asked = 0; asked < 2; asked++) {
      const response = await few.post({}, { path: '/v1/messages/batches' });
      answers.push([response.status, await response.json(), response.headers.get('Retry-After') !== null]);
    }
    const error = (type: string) => ({ type: 'error', error: { type } });
    expect(answers).toMatchObject([
      [404, error('not_found_error'), false],
      [429, error('rate_limit_error'), true],
    ]);
  } finally {
    await few.close();
  }
});

describe('a count is refused', () => {
  const refusalOf = async (response: Response) => {
    const { type, error } = (await response.json()) as {
      type: string;
      error: { type: string; message: string };
    };
    return [response.status, type, error.type, error.message];
  };
  const keyOf = async (keyLimits: KeyLimits) => {
    const { accountId } = await newTestAccount(service.deps.accounts);
    return (await createKey(service.deps.accounts, { accountId, label: 'test', limits: keyLimits })).key;
  };

  test.each<[string, object, string | RegExp]>([
    ['without messages', { messages: [] }, 'messages: must have at least one message'],
    ['for an unknown model', { model: 'nobody' }, /^There is no model "nobody"/],
    ['for a model that writes nothing', { model: 'ears' }, /does not take chat completions/],
    ['for a run', { model: 'agent:default' }, /^model: agent:default is a run/],
    ['for a skill that is none', { skills: null }, /./],
  ])('%s', async (_, body, message) => {
    const said = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await refusalOf(await count(body))).toEqual([400, 'error', 'invalid_request_error', said]);
  });

  test('for a key that may not use chat, and for one that may not use the model', async () => {
    const elsewhere = await count({}, { key: await keyOf({ routes: ['runs'] }) });
    expect(await refusalOf(elsewhere)).toEqual([403, 'error', 'permission_error', expect.any(String)]);
    const others = await count({}, { key: await keyOf({ models: ['eyes'] }) });
    expect(await refusalOf(others)).toEqual([403, 'error', 'permission_error', expect.any(String)]);
    expect(await refusalOf(await count({}, { key: 'nobody' }))).toEqual([
      401,
      'error',
      'authentication_error',
      'Unauthorized',
    ]);
  });
});
