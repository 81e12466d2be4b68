import { createKey } from '@errand/accounts';
import { limits, localTableNames, type RouteFamily, systemClock } from '@errand/platform';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdTimeouts } from '../billing/support/timers.ts';
import { answerAll, type SystemOneUpstream, startUpstream } from '../decisions/support/upstream.ts';
import { eventually } from '../support/eventually.ts';
import type { Provider } from '../support/model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { call, connectAgent } from './support/agent.ts';

let provider: Provider;
let judge: SystemOneUpstream;
let service: TestService;

const catalogue = (baseUrl: string) =>
  simpleCatalogue(baseUrl, {
    models: [
      {
        id: 'judge',
        kind: 'decision',
        engine: 'systemone',
        upstream: { baseUrl: judge.url, model: 'upstream-judge' },
        price: { inputPerMillionTokens: 0.1 },
        contextTokens: 16_384,
      },
    ],
    roles: { decision: 'judge' },
  });

beforeAll(async () => {
  judge = await startUpstream();
  return () => judge.close();
});
useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => ({ catalogue: catalogue(baseUrl) }),
);
afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  judge.reply(answerAll);
  provider.script(() => ({ text: 'ok' }));
});

const question = { state: 'The parcel broke.', questions: { refund: { type: 'noul' } } };

/** The charges of an account without what differs from call to call. */
async function chargesOf(key: string): Promise<object[]> {
  const { entries } = (await (await service.request('/v1/credits', { key })).json()) as {
    entries: Record<string, unknown>[];
  };
  return entries.map(({ kind, model, amount, inputTokens }) => ({ kind, model, amount, inputTokens }));
}

describe('decide', () => {
  test('answers and charges as the route does, with the service’s own model', async () => {
    const [native, agent] = [await service.newAccount('1'), await service.newAccount('1')];
    const plain = await service.post('/v1/systemone', { model: 'judge', ...question }, { key: native.key });
    const client = await connectAgent(service, { key: agent.key });
    const { data, text, isError } = await call(client, 'decide', question);
    const { impact: _, ...answer } = (await plain.json()) as Record<string, unknown>;
    expect(isError).toBe(false);
    expect(data).toMatchObject(answer);
    expect(JSON.parse(text)).toEqual(data);
    expect(await chargesOf(agent.key)).toEqual(await chargesOf(native.key));
    await client.close();
  });

  test('keeps the order in which options were sent', async () => {
    const criteria = '{"b":null,"10":null,"a":null,"2":null}';
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"decide","arguments":{"state":"x","questions":{"which":{"type":"choice","criteria":${criteria}}}}}}`;
    const answer = await service.request('/mcp', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    });
    const text = await answer.text();
    expect(judge.requests.at(-1)?.body).toContain('"criteria":{"b":null,"10":null,"a":null,"2":null}');
    expect(text).toMatch(/probabilities\\":\{\\"b\\":[\d.]+,\\"10\\":/);
  });

  test('may take as long as the operator gives an answer, and is then given up', async () => {
    const seconds = limits.longestAnswerSeconds;
    const other = await startTestService({
      catalogue: catalogue(provider.baseUrl),
      env: { ANSWER_SECONDS: String(seconds) },
    });
    const client = await connectAgent(other);
    const asked = Promise.withResolvers<void>();
    judge.reply(() => asked.resolve());
    const end = holdTimeouts(1_000 * seconds);
    const deciding = call(client, 'decide', question);
    await asked.promise;
    end();
    const { isError, text } = await deciding;
    expect([isError, text]).toEqual([true, 'Request timed out']);
    await client.close();
    await other.stop();
  });

  test('says what is wrong with a request, and then costs nothing', async () => {
    const { key } = await service.newAccount('1');
    const client = await connectAgent(service, { key });
    const wrong = await call(client, 'decide', { state: 'x', questions: {} });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/questions/) });
    const unknown = await call(client, 'decide', { ...question, model: 'none' });
    expect(unknown).toMatchObject({ isError: true, text: 'Unsupported model' });
    judge.reply((_request, response) => void response.writeHead(500).end());
    expect(await call(client, 'decide', question)).toMatchObject({ isError: true });
    expect(await chargesOf(key)).toMatchObject([{ kind: 'credit' }]);
    await client.close();
  });
});

test('ask charges as the route does', async () => {
  const [native, agent] = [await service.newAccount('1'), await service.newAccount('1')];
  await service.follow(await service.start({ question: 'Q?' }, native.key), { key: native.key });
  const client = await connectAgent(service, { key: agent.key });
  await call(client, 'ask', { question: 'Q?' });
  expect(await chargesOf(agent.key)).toEqual(await chargesOf(native.key));
  await client.close();
});

test.each<[RouteFamily, string[]]>([
  ['runs', ['ask', 'get_run', 'cancel_run']],
  ['decisions', ['decide']],
  ['skills', ['list_skills', 'get_skill']],
  ['chat', []],
])('a key for %s has the tools of these routes, and no others', async (family, tools) => {
  const { accountId } = await service.newAccount('1');
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
  const { key } = await createKey(store, { accountId, label: family, limits: { routes: [family] } });
  const client = await connectAgent(service, { key });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
  if (family !== 'runs') await expect(call(client, 'ask', { question: 'Q?' })).rejects.toThrow();
  if (family !== 'skills') expect((await client.listResources()).resources).toEqual([]);
  await client.close();
});

test.each([
  ['without progress', limits.mcpWaitSeconds, {}],
  ['with progress', limits.mcpProgressSeconds, { onprogress: () => {} }],
])('an agent %s waits %i s for a run, and then has its id', async (_, seconds, options) => {
  const client = await connectAgent(service);
  provider.script(() => 'hang');
  const end = holdTimeouts(seconds * 1000);
  const asking = call(client, 'ask', { question: 'Q?' }, options);
  await eventually(() => provider.requests.length).toBe(1);
  end();
  const { data } = await asking;
  expect(data.status).toBe('running');
  await call(client, 'cancel_run', { agentId: data.agentId });
  await client.close();
});

test('a service that stops sends waiting agents the id of their run', async () => {
  const other = await startTestService({ catalogue: catalogue(provider.baseUrl) });
  const client = await connectAgent(other);
  provider.script(() => 'hang');
  const asking = call(client, 'ask', { question: 'Q?' });
  await eventually(() => provider.requests.length).toBe(1);
  const [{ data }] = await Promise.all([asking, other.stop()]);
  expect(data).toMatchObject({ agentId: expect.any(String), status: 'running' });
  await client.close();
});

test('a feature that is switched off has no tool', async () => {
  const other = await startTestService({
    catalogue: simpleCatalogue(provider.baseUrl),
    env: { AGENTS_ENABLED: 'false', SKILLS_ENABLED: 'false' },
  });
  const client = await connectAgent(other);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_run', 'cancel_run']);
  expect((await client.listResources()).resources).toEqual([]);
  await client.close();
  await other.stop();
});
