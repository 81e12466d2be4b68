import { createKey, freezeAccount, revokeKey } from '@errand/accounts';
import { limits, localTableNames, systemClock } from '@errand/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let service: TestService;
let limitedKey: string;

useService(
  (started) => ({ service } = started),
  ({ baseUrl }) => ({
    catalogue: simpleCatalogue(baseUrl, {
      models: [
        {
          id: 'writers-choice',
          kind: 'chat',
          upstream: { baseUrl, model: 'other' },
          price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
        },
        {
          id: 'vectors',
          kind: 'embedding',
          upstream: { baseUrl, model: 'vectors' },
          price: { inputPerMillionTokens: 1 },
        },
      ],
    }),
  }),
);

const store = () => ({ dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock });

beforeAll(async () => {
  const { accountId } = service;
  const made = await createKey(store(), { accountId, label: 'one', limits: { models: ['writers-choice'] } });
  limitedKey = made.key;
});

const messages = [{ role: 'user', content: 'Say hello' }];
const answer = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

describe('a 401', () => {
  const challenge = async (key: string | undefined, path = '/v1/models') => {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    const response = await fetch(`${service.baseUrl}${path}`, { headers });
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
    return response.headers.get('WWW-Authenticate');
  };

  test('says of a key that was revoked, frozen or has ended why it is refused, on every route', async () => {
    const { accountId } = await service.newAccount();
    const revoked = await createKey(store(), { accountId, label: 'revoked' });
    await revokeKey(store(), revoked.keyId);
    const ended = await createKey(store(), {
      accountId,
      label: 'ended',
      limits: { expiresAt: '2020-01-01T00:00:00.000Z' },
    });
    const other = await service.newAccount();
    await freezeAccount(store(), other.accountId);
    for (const path of ['/v1/models', '/v1/agents/runs', '/v1/skills', '/v1/credits']) {
      expect(await challenge(revoked.key, path)).toMatch(/^Bearer error="invalid_token", .*revoked/);
      expect(await challenge(ended.key, path)).toMatch(/ended/);
      expect(await challenge(other.key, path)).toMatch(/frozen/);
    }
  });

  test('says the same of a missing key, of one that was never there, and of a part of a key', async () => {
    const { accountId } = await service.newAccount();
    const { key, keyId } = await createKey(store(), { accountId, label: 'part' });
    await revokeKey(store(), keyId);
    for (const each of [undefined, 'errand_x', key.slice(0, -1), `${key}0`, keyId])
      expect(await challenge(each)).toBe('Bearer');
  });
});

test('a 402 says what is available and what is needed, beside the error', async () => {
  const { key } = await service.newAccount('0');
  const chat = { model: 'writer', messages, max_tokens: 100 };
  for (const [path, body] of [
    ['/v1/chat/completions', chat],
    ['/v1/responses', { model: 'writer', input: 'Say hello' }],
    ['/v1/agents/runs', { question: 'What?' }],
    ['/v1/uploads', { filename: 'a.txt', bytes: 1 }],
  ] as const) {
    const { status, text } = await answer(await service.post(path, body, { key }));
    expect([status, JSON.parse(text)], path).toEqual([
      402,
      { error: 'No remaining credits (EUR)', available: '0', needed: expect.stringMatching(/^\d+(\.\d+)?$/) },
    ]);
    expect(Number(JSON.parse(text).needed), path).toBeGreaterThan(0);
  }
  const ofMessage = await answer(await service.post('/v1/messages', chat, { key }));
  expect([ofMessage.status, JSON.parse(ofMessage.text)]).toEqual([
    402,
    {
      type: 'error',
      error: {
        type: 'billing_error',
        message: 'No remaining credits (EUR)',
        available: '0',
        needed: expect.stringMatching(/^\d+(\.\d+)?$/),
      },
      request_id: ofMessage.headers.get('Request-Id'),
    },
  ]);
  const poor = await service.newAccount('0.000000001');
  const { text } = await answer(await service.post('/v1/chat/completions', chat, { key: poor.key }));
  const { available, needed } = JSON.parse(text);
  expect(available).toBe('0.000000001');
  // The output costs 2,000 nano-euro a token, and the input something.
  expect(Number(needed)).toBeGreaterThan(0.0002);
});

describe('an unknown model', () => {
  const refusals: [string, (model: string, key?: string) => Promise<Response>, string, string][] = [
    [
      'of a chat',
      (model, key) => service.post('/v1/chat/completions', { model, messages }, { key }),
      'writr',
      'writer',
    ],
    [
      'of a response',
      (model, key) => service.post('/v1/responses', { model, input: 'Hi' }, { key }),
      'Writer',
      'writer',
    ],
    [
      'of a message',
      (model, key) => service.post('/v1/messages', { model, messages, max_tokens: 9 }, { key }),
      'wrter',
      'writer',
    ],
    [
      'of a run',
      (model, key) => service.post('/v1/agents/runs', { question: 'What?', model }, { key }),
      'writrs',
      'writer',
    ],
    ['in a path', (model, key) => service.request(`/v1/models/${model}`, { key }), 'eyez', 'eyes'],
  ];

  test.each(refusals)(
    '%s is told with the nearest that the key may use, and where the list is',
    async (_, ask, id, nearest) => {
      const words = (model: string) =>
        `There is no model \\\\?"${id}\\\\?". The nearest that this key may use is \\\\?"${model}\\\\?". GET /v1/models lists all models.`;
      expect((await answer(await ask(id))).text).toMatch(new RegExp(words(nearest)));
      expect((await answer(await ask(id, limitedKey))).text).toMatch(new RegExp(words('writers-choice')));
    },
  );

  test('of embeddings is told with one that makes them', async () => {
    const { text } = await answer(await service.post('/v1/embeddings', { model: 'writer2', input: 'a' }));
    expect(text).toContain('is \\"vectors\\"');
    const none = await service.post('/v1/embeddings', { model: 'writer2', input: 'a' }, { key: limitedKey });
    expect((await answer(none)).text).not.toContain('nearest');
  });
});

test.each([
  ['DELETE', '/v1/models', ['HEAD', 'GET']],
  ['GET', '/v1/chat/completions', ['POST']],
  ['PUT', '/v1/skills', ['HEAD', 'GET', 'POST']],
])('%s of %s is a 405 that names what the path takes', async (method, path, takes) => {
  const { status, headers, text } = await answer(await service.request(path, { method }));
  expect([status, headers.get('Allow')]).toEqual([405, takes.join(', ')]);
  expect(JSON.parse(text)).toEqual({
    error: `Method not allowed: this path takes ${takes.join(', ')}`,
  });
});

test('a field that an object of a run does not have is told as such', async () => {
  const { status, text } = await answer(
    await service.post('/v1/agents/runs', {
      question: 'What?',
      functions: [{ type: 'function', name: 'stock_of' }],
    }),
  );
  expect([status, text]).toEqual([400, 'functions[0].type: is not a field']);
});

describe('a misspelt field that costs money', () => {
  test.each(['max_credits', 'maxcredits', 'MaxCredits', 'maxCredit', 'max-credits'])(
    'of a run, %s, is refused with the name that was meant',
    async (name) => {
      const { status, text } = await answer(
        await service.post('/v1/agents/runs', { question: 'What?', [name]: '0.10' }),
      );
      expect([status, text]).toEqual([400, `${name}: is not a field: write maxCredits`]);
      const form = new FormData();
      form.set('question', 'What?');
      form.set(name, '0.10');
      form.set('file', new Blob(['x']), 'a.txt');
      const formed = await answer(await service.request('/v1/agents/runs', { method: 'POST', body: form }));
      expect([formed.status, formed.text]).toEqual([
        400,
        `${name}: is not a field of this form: write maxCredits`,
      ]);
    },
  );

  test('of a run that is to go on is named before a question is missed', async () => {
    for (const [body, problem] of [
      [{ previous_run_id: 'a' }, 'previous_run_id: is not a field: write previousRunId'],
      [{ functionResults: [{ callId: 'a', result: '1' }] }, 'functionResults: needs previousRunId'],
      [{ approvals: [{ callId: 'a', approve: true }] }, 'approvals: needs previousRunId'],
      [
        { question: 'What?', approve: 'auto', approve_threshold: 1 },
        'approve_threshold: is not a field: write approveThreshold',
      ],
    ] as const) {
      const { status, text } = await answer(await service.post('/v1/agents/runs', body));
      expect([status, text]).toEqual([400, problem]);
    }
  });

  test('of a chat or a response is refused with the name that was meant', async () => {
    const chat = await service.post('/v1/chat/completions', { model: 'writer', messages, maxTokens: 5 });
    expect((await answer(chat)).text).toContain('maxTokens: is not a field: write max_tokens');
    for (const name of ['max_tokens', 'max_completion_tokens']) {
      const response = await service.post('/v1/responses', { model: 'writer', input: 'Hi', [name]: 5 });
      expect((await answer(response)).text).toContain(`max_output_tokens: is what ${name} is called here`);
    }
    for (const name of ['maxOutputTokens', 'max_output_token']) {
      const response = await service.post('/v1/responses', { model: 'writer', input: 'Hi', [name]: 5 });
      expect((await answer(response)).text).toContain(`${name}: is not known here: write max_output_tokens`);
    }
  });

  test('is not what an unknown one is taken for: that is ignored', async () => {
    for (const extra of [
      { min_credits: '1' },
      { mode: 'x' },
      { toolset: [] },
      { [`max_${'a'.repeat(limits.markCharacters)}`]: 1 },
    ])
      expect((await service.post('/v1/agents/runs', { question: 'What?', ...extra })).status).toBe(202);
    const chat = { model: 'writer', messages, min_tokens: 1, top_k: 3, maximum: 1 };
    expect((await service.post('/v1/chat/completions', chat)).status).toBe(200);
  });
});

test('the list of models is there with a slash at its end, too', async () => {
  const [plain, slashed] = await Promise.all(
    ['/v1/models', '/v1/models/'].map(async (path) => answer(await service.request(path))),
  );
  expect([slashed?.status, slashed?.text]).toEqual([200, plain?.text]);
  expect((await fetch(`${service.baseUrl}/v1/models/`)).status).toBe(401);
});
