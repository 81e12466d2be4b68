import { createKey } from '@errand/accounts';
import { localTableNames, systemClock } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const path = '/v1/agents/runs';
let provider: Provider;
let service: TestService;

const chat = (baseUrl: string, id: string, more: object = {}) => ({
  id,
  kind: 'chat',
  upstream: { baseUrl, model: `upstream-${id}` },
  price: { inputPerMillionTokens: 10, outputPerMillionTokens: 20 },
  contextTokens: 32_768,
  ...more,
});

useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => {
    const judge = {
      id: 'judge',
      kind: 'decision',
      upstream: { baseUrl, model: 'upstream-judge' },
      price: { inputPerMillionTokens: 1 },
    };
    const mute = chat(baseUrl, 'mute', { tools: false, compressed: false });
    const models = [chat(baseUrl, 'thinker'), mute, judge];
    return { catalogue: simpleCatalogue(baseUrl, { models, roles: { decision: 'judge' } }) };
  },
);

const refusal = async (body: object, key?: string) => {
  const response = await service.post(path, { question: 'Q?', ...body }, key === undefined ? {} : { key });
  return [response.status, await response.text()];
};

function form(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries({ question: 'Q?', ...fields })) body.set(name, value);
  body.set('file', new Blob(['text']), 'a.txt');
  return body;
}

async function finished(agentId: string) {
  await service.follow(agentId);
  return service.read(agentId);
}

describe('the model of a run', () => {
  test('is the model that its creation named, which is asked, charged and shown', async () => {
    const agentId = await service.start({ question: 'Who?', model: 'thinker' });
    const run = await finished(agentId);
    expect(run).toMatchObject({ model: 'thinker', status: 'succeeded', usage: { credits: '0.0024' } });
    expect(new Set(provider.requests.map(({ model }) => model))).toEqual(new Set(['upstream-thinker']));
    provider.script(() => ({ text: 'ok' }));
  });

  test("is the service's own if its creation names none, and the listing shows the model of every run", async () => {
    const agentId = await service.start({ question: 'Who?' });
    expect(await finished(agentId)).toMatchObject({ model: 'writer' });
    const listing = await (await service.request(path)).json();
    expect(listing).toMatchObject({
      runs: expect.arrayContaining([expect.objectContaining({ agentId, model: 'writer' })]),
    });
  });

  test('may be a vision model, and may be named in a form', async () => {
    const response = await service.request(path, { method: 'POST', body: form({ model: 'eyes' }) });
    const { agentId } = (await response.json()) as { agentId: string };
    expect(await finished(agentId)).toMatchObject({ model: 'eyes', status: 'succeeded' });
  });

  test.each([
    ['nobody', 'There is no model "nobody". The nearest that this key may use is "writer"'],
    ['judge', 'must be a chat or vision model: judge is a decision model'],
    ['mute', 'must take tools: mute takes none'],
    ['thinker-compressed', 'is a compressed variant: name thinker'],
  ])('cannot be %s, and nothing is set aside', async (model, problem) => {
    const { key } = await service.newAccount();
    expect(await refusal({ model }, key)).toEqual([400, expect.stringContaining(`model: ${problem}`)]);
    const credits = (await (await service.request('/v1/credits', { key })).json()) as { reserved: string };
    expect(credits.reserved).toBe('0');
  });

  test('must be one that the key may use', async () => {
    const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
    const { key } = await createKey(store, {
      accountId: service.accountId,
      label: 'limited',
      limits: { models: ['writer'] },
    });
    expect((await refusal({ model: 'thinker' }, key))[0]).toBe(403);
    expect((await refusal({ proof: true }, key))[0]).toBe(403);
    expect((await service.post(path, { question: 'Q?' }, { key })).status).toBe(202);
  });

  test('that is unavailable still has the headers of the skill, which was resolved before', async () => {
    await service.post('/v1/skills', { name: 'terse', instructions: 'Be terse.' });
    const asked = { question: 'Q?', model: 'nobody', skills: 'terse' };
    const response = await service.post(path, asked);
    expect([response.status, response.headers.get('X-Skill')]).toEqual([400, 'terse']);
    expect(response.headers.get('X-Skill-Version')).toBe('1');
    const sent = await service.request(path, {
      method: 'POST',
      body: form({ model: 'nobody', skills: 'terse' }),
    });
    expect([sent.status, sent.headers.get('X-Skill')]).toEqual([400, 'terse']);
  });

  test('must pay for its first completion within the cap of the run, at its own price', async () => {
    const cap = { maxCredits: '0.01' };
    expect((await refusal(cap))[0]).toBe(202);
    expect((await refusal({ ...cap, model: 'thinker' }))[0]).toBe(400);
  });
});

describe('the proof of a run', () => {
  test('is accepted where the catalogue has a decision model, in JSON and in forms', async () => {
    expect((await service.post(path, { question: 'Q?', proof: true })).status).toBe(202);
    for (const proof of ['true', 'false'])
      expect((await service.request(path, { method: 'POST', body: form({ proof }) })).status).toBe(202);
  });

  test('is true or false', async () => {
    expect(await refusal({ proof: 'yes' })).toEqual([
      400,
      expect.stringContaining('proof: must be true or false'),
    ]);
    const response = await service.request(path, { method: 'POST', body: form({ proof: 'yes' }) });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('proof: must be true or false'),
    ]);
  });
});

test('the usage of a run counts completions and cached input', async () => {
  provider.script(() => ({ text: 'ok', usage: { input: 100, output: 10, cached: 40 } }));
  expect(await finished(await service.start({ question: 'Cached?' }))).toMatchObject({
    usage: { inputTokens: 200, cachedInputTokens: 80, outputTokens: 20, audioSeconds: 0, completions: 2 },
  });
  provider.script(() => ({ text: 'ok' }));
});
