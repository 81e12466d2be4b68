import { createKey } from '@errand/accounts';
import { type KeyLimits, limits, localTableNames, systemClock } from '@errand/platform';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, connectAgent } from '../mcp/support/agent.ts';
import { isCheck, type Provider } from '../support/model-server.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { storeAgent, storeAgentOf } from './support/stored-agents.ts';

let service: TestService;
let provider: Provider;
/** By how much the service's clock is ahead. */
let aheadMilliseconds = 0;

useService(
  (started) => ({ service, provider } = started),
  ({ baseUrl }) => ({
    catalogue: simpleCatalogue(baseUrl),
    clock: () => Date.now() + aheadMilliseconds,
  }),
);

let accountId: string;
let key: string;
beforeEach(async () => {
  ({ accountId, key } = await service.newAccount());
  provider.script((request) =>
    isCheck(request) ? { calls: [{ name: 'confirm_answer', args: {} }] } : { text: 'At noon.' },
  );
});

const limitedKey = async (keyLimits: KeyLimits): Promise<string> => {
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
  return (await createKey(store, { accountId, label: 'limited', limits: keyLimits })).key;
};

describe('GET /v1/agents', () => {
  const list = async (by: string) =>
    ((await (await service.request('/v1/agents', { key: by })).json()) as { agents: { id: string }[] })
      .agents;
  const markdown = async () => (await fetch(`${service.baseUrl}/v1/agents`)).text();

  test('of a service without stored agents is what it was, with a key and without', async () => {
    const [own, ...others] = await list(key);
    expect(others).toEqual([]);
    expect(Object.keys(own!)).toEqual(['id', 'displayName', 'description', 'tools', 'input']);
    expect(await markdown()).toMatch(
      /^# Agents\n\n[^#]+## Default agent \(`default`\)\n[^#]+### Input\n[^#]+$/,
    );
  });

  test('lists default first, then the agents that the key sees, its own drafts as such', async () => {
    await storeAgent(service, key, 'mails', { description: 'Sorts mails.' });
    await storeAgent(service, key, 'draft', { enabled: false });
    await storeAgent(service, (await service.newAccount()).key, 'foreign');
    const [own, ...others] = await list(key);
    expect(own!.id).toBe('default');
    expect(others).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ id: 'mails', displayName: 'mails', description: 'Sorts mails.' },
          ...{ scope: 'user', version: 1, enabled: true },
        }),
        expect.objectContaining({ id: 'draft', enabled: false }),
      ]),
    );
    expect(others).toHaveLength(2);
    expect(await markdown()).not.toContain('mails');
  });

  test('to a key that is bound shows the agents that it may use alone', async () => {
    await storeAgent(service, key, 'mails');
    await storeAgent(service, key, 'other');
    expect((await list(await limitedKey({ agents: ['mails'] }))).map(({ id }) => id)).toEqual(['mails']);
    expect((await list(await limitedKey({ agents: ['default'] }))).map(({ id }) => id)).toEqual(['default']);
  });

  test("as markdown has the operator's enabled agents beside default, and no drafts", async () => {
    const operator = { scope: 'provider' } as const;
    const dropExtractor = await storeAgentOf(service, operator, 'extractor', {
      description: 'Reads invoices.',
    });
    const dropUnfinished = await storeAgentOf(service, operator, 'unfinished', { enabled: false });
    aheadMilliseconds += limits.keyCacheMilliseconds;
    const text = await markdown();
    expect(text).toContain('## extractor (`extractor`)\n\nReads invoices.');
    expect(text).not.toContain('unfinished');
    expect((await list(key)).map(({ id }) => id)).toContain('extractor');
    await dropExtractor();
    await dropUnfinished();
    aheadMilliseconds += limits.keyCacheMilliseconds;
    expect(await markdown()).not.toContain('extractor');
  });
});

describe('a response whose model is a stored agent', () => {
  const respond = (body: object, by = key) =>
    service.post('/v1/responses', { input: 'When?', ...body }, { key: by });
  const read = async (response: Response) => (await response.json()) as Record<string, unknown>;
  const refusal = async (model: string, by = key) => {
    const response = await respond({ model }, by);
    const { error } = (await response.json()) as { error: { message: string; code: string } };
    return [response.status, error.code, error.message];
  };

  test('is a run by it, shows its model again, and is followed by its version', async () => {
    await storeAgent(service, key, 'tides', { instructions: 'Tell of tides.' });
    const response = await respond({ model: 'agent:tides' });
    expect([response.status, response.headers.get('X-Agent-Version')]).toEqual([200, '1']);
    const told = await read(response);
    expect(told).toMatchObject({ status: 'completed', model: 'agent:tides' });
    expect(String(provider.requests[0]!.messages[0]!.content)).toContain('Tell of tides.');
    expect(await service.read(String(told.id), key)).toMatchObject({ agent: { name: 'tides', version: 1 } });
    const later = await read(await service.request(`/v1/responses/${told.id}`, { key }));
    expect(later.model).toBe('agent:tides');
    await storeAgent(service, key, 'tides');
    const next = await read(await respond({ model: 'agent:tides@1', previous_response_id: told.id }));
    expect(next).toMatchObject({ status: 'completed', model: 'agent:tides@1' });
  });

  test('that was created as a run is shown with its agent and version', async () => {
    await storeAgent(service, key, 'tides');
    const id = await service.start({ question: 'When?', agent: 'tides' }, key);
    await service.follow(id, { key });
    expect((await read(await service.request(`/v1/responses/${id}`, { key }))).model).toBe('agent:tides@1');
  });

  test('of an agent that cannot be used is a model that is not there, with the nearest', async () => {
    await storeAgent(service, key, 'tides');
    await storeAgent(service, key, 'draft', { enabled: false });
    const missing = (model: string, nearest: string) => [
      ...[400, 'model_not_found'],
      `There is no model "${model}". The nearest that this key may use is "${nearest}". GET /v1/models lists all models.`,
    ];
    expect(await refusal('agent:tide')).toEqual(missing('agent:tide', 'agent:tides'));
    expect(await refusal('agent:tides@9')).toEqual(missing('agent:tides@9', 'agent:tides'));
    expect(await refusal('agent:default@1')).toEqual(missing('agent:default@1', 'agent:default'));
    const draft = await refusal('agent:draft');
    expect(draft.slice(0, 2)).toEqual([400, 'model_not_found']);
    expect(draft[2]).not.toContain('may use is "agent:draft"');
    const bound = await limitedKey({ agents: ['tides'] });
    expect(await refusal('agent:two words', bound)).toEqual(missing('agent:two words', 'agent:tides'));
  });

  test('of an agent that the key may not use is forbidden, in an envelope', async () => {
    await storeAgent(service, key, 'tides');
    const bound = await limitedKey({ agents: ['other'] });
    const forbidden = (name: string) => [403, 'agent_forbidden', `This key may not use the agent "${name}".`];
    expect(await refusal('agent:tides', bound)).toEqual(forbidden('tides'));
    expect(await refusal('agent:default', bound)).toEqual(forbidden('default'));
  });

  test('takes no more than its agent does', async () => {
    await storeAgent(service, key, 'bare', { tools: ['web_search'] });
    const response = await respond({ model: 'agent:bare', tools: [{ type: 'save_file' }] });
    const { error } = (await response.json()) as { error: object };
    expect([response.status, error]).toEqual([400, expect.objectContaining({ param: 'tools' })]);
  });
});

describe('an MCP client', () => {
  const connect = (by = key) => connectAgent(service, { key: by });
  const toolsOf = async (
    by = key,
  ): Promise<{ name: string; description?: string; inputSchema: object }[]> => {
    const client = await connect(by);
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  };
  const own = ['ask', 'get_run', 'cancel_run', 'list_skills', 'get_skill'];

  test('sees each agent that its key may use as a tool, and nothing new without any', async () => {
    expect((await toolsOf()).map(({ name }) => name)).toEqual(own);
    await storeAgent(service, key, 'mail-triage', { description: 'Sorts mails.' });
    await storeAgent(service, key, 'draft', { enabled: false });
    const tools = await toolsOf();
    expect(tools.map(({ name }) => name)).toEqual([...own, 'agent_mail-triage']);
    expect(tools.at(-1)).toMatchObject({
      description: expect.stringMatching(/^Sorts mails\.\n\nIt may take minutes\./),
      inputSchema: { properties: { question: expect.anything(), maxCredits: expect.anything() } },
    });
    expect(await toolsOf(await limitedKey({ routes: ['skills'] }))).toHaveLength(2);
  });

  test('whose key is bound sees its agents, and ask if default is one of them', async () => {
    await storeAgent(service, key, 'mails');
    await storeAgent(service, key, 'other');
    const names = async (agents: string[]) =>
      (await toolsOf(await limitedKey({ agents }))).map(({ name }) => name);
    expect(await names(['mails'])).toEqual([...own.slice(1), 'agent_mails']);
    expect(await names(['default'])).toEqual(own);
    const client = await connect(await limitedKey({ agents: ['mails'] }));
    for (const name of ['ask', 'agent_other'])
      await expect(call(client, name, { question: 'When?' })).rejects.toThrow('no tool of this name');
    await client.close();
  });

  test('has an agent work, and goes on from its run at its version', async () => {
    await storeAgent(service, key, 'mails', { instructions: 'Sort.' });
    const client = await connect();
    const { text, data } = await call(client, 'agent_mails', { question: 'When?' });
    expect([text, data.status]).toEqual(['At noon.', 'succeeded']);
    expect(String(provider.requests[0]!.messages[0]!.content)).toContain('Sort.');
    await storeAgent(service, key, 'mails', { instructions: 'Changed.' });
    const next = await call(client, 'agent_mails', { question: 'And?', previousRunId: data.agentId });
    const view = await service.read(String(next.data.agentId), key);
    expect(view.agent).toEqual({ name: 'mails', version: 1 });
    await client.close();
  });

  test('is told in words why an agent does not work, and which argument it does not take', async () => {
    await storeAgent(service, key, 'dear', { maxCredits: '0.02' });
    const client = await connect();
    expect(await call(client, 'agent_nobody', { question: 'When?' })).toMatchObject({
      ...{ isError: true, text: 'Agent "nobody": no agent of this name is visible to you.' },
    });
    const wider = await call(client, 'agent_dear', { question: 'When?', maxCredits: '5' });
    expect(wider.text).toContain("maxCredits: must be at most the agent's");
    const unknown = await call(client, 'agent_dear', { question: 'When?', model: 'eyes' });
    expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('model')]);
    await client.close();
  });

  test(`sees at most ${limits.mcpAgentTools} agents`, async () => {
    for (let i = 0; i <= limits.mcpAgentTools; i++) await storeAgent(service, key, `agent${i}`);
    expect(await toolsOf()).toHaveLength(own.length + limits.mcpAgentTools);
  });
});
