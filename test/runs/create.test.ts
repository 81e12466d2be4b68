import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const path = '/v1/agents/runs';
let service: TestService;

useService((started) => ({ service } = started));

describe('POST /v1/agents/runs 202', () => {
  test('answers with the id and nothing else, and with the balance before the run', async () => {
    const { key } = await service.newAccount('4.98731');
    const response = await service.post(path, { question: 'Hello?' }, { key });
    expect(response.status).toBe(202);
    expect(response.headers.get('X-Credits-Remaining')).toBe('4.98731');
    const body = (await response.json()) as { agentId: string };
    expect(body).toEqual({ agentId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' });
    await service.follow(body.agentId, { key });
  });

  test('carries the rate headers and a request id', async () => {
    const response = await service.post(path, { question: 'Headers?' });
    expect(response.headers.get('RateLimit-Policy')).toBe(`1000000;w=${limits.windowSeconds}`);
    expect(Number(response.headers.get('RateLimit-Remaining'))).toBeLessThan(1_000_000);
    expect(Number(response.headers.get('RateLimit-Reset'))).toBeGreaterThan(0);
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-skill'))).toEqual([]);
  });

  test('ignores unknown fields and counts the characters of a question in code points, up to the limit', async () => {
    const response = await service.post(path, {
      question: '😀'.repeat(limits.questionCharacters),
      colour: 'blue',
    });
    expect(response.status).toBe(202);
  });

  test('keeps metadata with the run', async () => {
    const metadata = { ticket: '42', zebra: 'a', apple: 'b' };
    const agentId = await service.start({ question: 'Tagged', metadata });
    expect(await service.read(agentId)).toMatchObject({ metadata });
  });

  test('of an account under a subscription, with nothing left, is accepted', async () => {
    const { key } = await service.newAccount('0', { subscription: true });
    expect((await service.post(path, { question: 'Covered?' }, { key })).status).toBe(202);
  });
});

describe('POST /v1/agents/runs 202, with an Idempotency-Key', () => {
  test('is the same run for the same body, and 409 for another', async () => {
    const headers = { 'Idempotency-Key': 'order-66' };
    const first = await service.post(path, { question: 'Once' }, { headers });
    const again = await service.post(path, { question: 'Once' }, { headers });
    expect(again.status).toBe(202);
    expect(await again.json()).toEqual(await first.json());
    const other = await service.post(path, { question: 'Twice' }, { headers });
    expect(other.status).toBe(409);
  });

  test('is free again once its run was deleted', async () => {
    const headers = { 'Idempotency-Key': 'deleted' };
    const first = (await (await service.post(path, { question: 'A' }, { headers })).json()) as {
      agentId: string;
    };
    await service.follow(first.agentId);
    const other = await service.post(path, { question: 'B' }, { headers });
    expect(other.status).toBe(409);
    await service.request(`${path}/${first.agentId}`, { method: 'DELETE' });
    const second = await service.post(path, { question: 'B' }, { headers });
    expect(second.status).toBe(202);
    expect(await second.json()).not.toEqual(first);
  });

  test('repeats the headers of the skill that shapes the run', async () => {
    await service.post('/v1/skills', { name: 'terse', instructions: 'Be terse.' });
    const send = () =>
      service.post(path, { question: 'Q', skills: 'terse' }, { headers: { 'Idempotency-Key': 'skilled' } });
    const skillHeaders = (response: Response) =>
      [...response.headers].filter(([name]) => name.startsWith('x-skill'));
    const first = skillHeaders(await send());
    expect(first.map(([name]) => name)).toEqual([
      'x-skill',
      'x-skill-content-hash',
      'x-skill-injected-tokens',
      'x-skill-version',
    ]);
    expect(skillHeaders(await send())).toEqual(first);
  });

  test('is another run for another API key', async () => {
    const headers = { 'Idempotency-Key': 'shared' };
    const { key } = await service.newAccount();
    const mine = (await (await service.post(path, { question: 'Q' }, { headers })).json()) as object;
    const theirs = (await (await service.post(path, { question: 'Q' }, { headers, key })).json()) as object;
    expect(mine).not.toEqual(theirs);
  });

  test('makes one run of 20 requests at once', async () => {
    const headers = { 'Idempotency-Key': 'storm' };
    const requests = Array.from({ length: 20 }, () => service.post(path, { question: 'Storm' }, { headers }));
    const bodies = (await Promise.all(requests.map(async (request) => (await request).json()))) as {
      agentId: string;
    }[];
    expect(new Set(bodies.map(({ agentId }) => agentId)).size).toBe(1);
  });
});

describe('POST /v1/agents/runs 400', () => {
  const rows: [string, unknown, RegExp][] = [
    ['no question', {}, /^question: is required$/],
    ['an empty question', { question: '  ' }, /^question: must not be empty$/],
    ['a question that is no text', { question: 5 }, /^question: must be a string$/],
    [
      'a question of one character too many',
      { question: 'x'.repeat(limits.questionCharacters + 1) },
      new RegExp(`^question: must have at most ${limits.questionCharacters} characters$`),
    ],
    [
      'a document URL that is none',
      { question: 'q', documentUrl: 'x' },
      /^documentUrl: must be an http or https URL$/,
    ],
    [
      'a file URL',
      { question: 'q', audioUrl: 'file:///etc/passwd' },
      /^audioUrl: must be an http or https URL$/,
    ],
    [
      'a document URL that is too long',
      { question: 'q', documentUrl: `https://example.com/${'x'.repeat(limits.urlCharacters)}` },
      new RegExp(`^documentUrl: must have at most ${limits.urlCharacters} characters$`),
    ],
    [
      'a recording URL that is too long and none',
      { question: 'q', audioUrl: 'x'.repeat(limits.urlCharacters + 1) },
      new RegExp(`^audioUrl: must have at most ${limits.urlCharacters} characters$`),
    ],
    ['metadata that is no text', { question: 'q', metadata: { a: 1 } }, /^metadata\.a: must be a string$/],
    ['a body that is a list', [], /^must be an object$/],
    [
      'a key of metadata that JavaScript would lose',
      JSON.parse('{"question":"q","metadata":{"__proto__":"a"}}'),
      /^metadata: must not have a key named __proto__/,
    ],
    [
      'an empty key of metadata',
      { question: 'q', metadata: { '': 'a' } },
      /^metadata: must not have an empty key$/,
    ],
    ['metadata that is a list', { question: 'q', metadata: ['a'] }, /^metadata: must be an object$/],
    [
      'half a character in metadata',
      { question: 'q', metadata: { a: '\ud800' } },
      /^metadata\.a: must be well-formed Unicode$/,
    ],
  ];
  test.each(rows)('for %s', async (_, body, message) => {
    const response = await service.post(path, body);
    expect(response.status).toBe(400);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(message);
  });

  test('names every problem, one a line', async () => {
    const response = await service.post(path, { documentUrl: 'x', audioUrl: 'y' });
    expect((await response.text()).split('\n')).toHaveLength(3);
  });

  test('for malformed JSON, nesting past 1,000 levels and a body that is not JSON', async () => {
    const send = (body: string, type = 'application/json') =>
      service.request(path, { method: 'POST', body, headers: { 'Content-Type': type } });
    const malformed = await send('{"question":');
    expect([malformed.status, await malformed.text()]).toEqual([400, 'Malformed JSON in request body']);
    expect((await send(`${'['.repeat(1_001)}${']'.repeat(1_001)}`)).status).toBe(400);
    expect((await send('question=hello', 'application/x-www-form-urlencoded')).status).toBe(400);
  });

  test('for a skill that does not resolve, in the envelope of chat errors', async () => {
    const response = await service.post(path, { question: 'q', skills: 'nope' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        message: expect.any(String),
        type: 'invalid_request_error',
        param: 'skills',
        code: 'skill_unresolved',
        reason: 'unknown',
      },
    });
  });
});

test('POST /v1/agents/runs takes a skill whose ETag it names, and refuses another state of it with a 412', async () => {
  const created = await service.post('/v1/skills', { name: 'matched', instructions: 'Be brief.' });
  const tag = created.headers.get('ETag') ?? '';
  const create = (ifMatch: string) =>
    service.post(path, { question: 'q', skills: 'matched' }, { headers: { 'If-Match': ifMatch } });
  const accepted = await create(`"0", ${tag}`);
  expect([accepted.status, accepted.headers.get('X-Skill-Version')]).toEqual([202, '1']);
  const refused = await create(`W/${tag}`);
  expect([refused.status, await refused.json()]).toEqual([
    412,
    {
      error: {
        message: 'Skill "matched" is not as If-Match says.',
        ...{ type: 'invalid_request_error', param: 'skills', code: 'skill_changed' },
      },
    },
  ]);
});

describe('POST /v1/agents/runs, refused before the body is looked at', () => {
  test('401 without a key or with a wrong one', async () => {
    for (const Authorization of ['', 'Bearer nope', 'Basic abc']) {
      const response = await fetch(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: { Authorization },
      });
      expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
      expect(response.headers.get('RateLimit-Limit')).toBeNull();
    }
  });

  test('402 with no credits; reading still works', async () => {
    const { key } = await service.newAccount('0');
    const response = await service.post(path, {}, { key });
    expect([response.status, await response.json()]).toEqual([
      402,
      { error: 'No remaining credits (EUR)', available: '0', needed: '0.000000001' },
    ]);
    expect((await service.request('/v1/agents/runs', { key })).status).toBe(200);
  });
});
