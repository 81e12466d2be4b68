import { limits } from '@errand/platform';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { call, connectAgent, versions } from './support/agent.ts';

let provider: Provider;
let service: TestService;
const agents: Client[] = [];

useService((started) => ({ provider, service } = started));
beforeEach(() => provider.script(() => ({ text: 'Paris' })));
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

const connect = async (options: Parameters<typeof connectAgent>[1] = {}): Promise<Client> => {
  const agent = await connectAgent(service, options);
  agents.push(agent);
  return agent;
};

/** Raw, as no client would send it. */
const send = (body: unknown, headers: Record<string, string> = {}, key?: string) =>
  service.request('/mcp', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    key,
  });

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const withParams = (params: object) => ({ ...listTools, params });
const tooLong = 'x'.repeat(limits.mcpRepeatedCharacters + 1);
/** The library would walk them all. */
const tooMany = Object.fromEntries(
  Array.from({ length: limits.mcpMessageFields + 1 }, (_, i) => [`k${i}`, i]),
);

describe.each(versions)('an agent that speaks %s', (version) => {
  test('is shown what this deployment has', async () => {
    const agent = await connect({ version });
    expect(agent.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'ask',
      'get_run',
      'cancel_run',
      'list_skills',
      'get_skill',
    ]);
    for (const { inputSchema, outputSchema, description } of tools) {
      expect(inputSchema.type).toBe('object');
      expect(outputSchema?.type).toBe('object');
      expect(description?.length).toBeGreaterThan(20);
    }
    expect(tools[0]?.outputSchema?.properties).toHaveProperty('citations.items.properties.url');
  });

  test('asks, sees the run’s progress, and gets its answer, for what a run costs', async () => {
    const { key } = await service.newAccount('1');
    const agent = await connect({ version, key });
    provider.script(
      inTurn({ calls: [{ name: 'save_data', args: { name: 'a', value: 'b' } }] }, { text: 'Paris' }),
    );
    const seen: { progress: number; message?: string | undefined }[] = [];
    const answer = await call(agent, 'ask', { question: 'Q?' }, { onprogress: (one) => void seen.push(one) });
    expect(answer).toEqual({
      text: 'Paris',
      data: { agentId: expect.any(String), status: 'succeeded', answer: 'Paris', credits: '0.00036' },
      isError: false,
    });
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
    const lines = seen.map(({ message }) => message);
    expect(lines[0]).toBe(`The run ${answer.data.agentId} has started.`);
    expect(lines).toContainEqual(expect.stringMatching(/^save_data \{/));
    const credits = (await (await service.request('/v1/credits', { key })).json()) as { balance: string };
    expect(credits.balance).toBe('0.99964');
  });

  test("gets the run's id if it does not wait, can ask for the answer later, and can cancel", async () => {
    const agent = await connect({ version });
    const held = Promise.withResolvers<void>();
    provider.script(async () => {
      await held.promise;
      return { text: 'Late' };
    });
    const asked = await call(agent, 'ask', { question: 'Q?', waitSeconds: 0 });
    const { agentId } = asked.data;
    expect(asked.data.status).toMatch(/queued|running/);
    expect(asked.text).toBe(
      `The run ${agentId} goes on. Call get_run with this agentId to wait for its answer.`,
    );
    const waiting = call(agent, 'get_run', { agentId });
    held.resolve();
    expect(await waiting).toMatchObject({ text: 'Late', data: { status: 'succeeded', answer: 'Late' } });
    provider.script(() => 'hang');
    const { data } = await call(agent, 'ask', { question: 'Q?', waitSeconds: 0 });
    await eventually(() => provider.requests.length).toBe(1);
    await call(agent, 'cancel_run', { agentId: data.agentId });
    expect(await call(agent, 'get_run', { agentId: data.agentId })).toMatchObject({
      text: `The run ${data.agentId} failed: Cancelled`,
      data: { status: 'failed', error: 'Cancelled' },
      isError: true,
    });
  });

  test('that gives up does not stop its run', async () => {
    const agent = await connect({ version });
    const held = Promise.withResolvers<void>();
    provider.script(async () => {
      await held.promise;
      return { text: 'Done' };
    });
    const leaving = new AbortController();
    let agentId = '';
    const asking = call(
      agent,
      'ask',
      { question: 'Q?' },
      {
        signal: leaving.signal,
        onprogress: ({ message }) => {
          agentId = /run (\S+) has started/.exec(message ?? '')?.[1] ?? agentId;
          if (provider.requests.length > 0) leaving.abort();
        },
      },
    );
    const gone = asking.catch((error: unknown) => error);
    await eventually(() => agentId !== '' && provider.requests.length).toBeTruthy();
    leaving.abort();
    expect(await gone).toBeInstanceOf(Error);
    held.resolve();
    expect(await call(agent, 'get_run', { agentId })).toMatchObject({ text: 'Done' });
  });

  test('reads skills by tools and as resources, and asks with one', async () => {
    const { key } = await service.newAccount();
    const instructions = 'Answer in French.';
    await service.post(
      '/v1/skills',
      { name: 'french', description: 'Writes French.', instructions },
      { key },
    );
    const agent = await connect({ version, key });
    expect((await call(agent, 'list_skills', {})).text).toBe('- french: Writes French.');
    expect(await call(agent, 'get_skill', { name: 'french' })).toMatchObject({
      text: instructions,
      data: { instructions },
    });
    expect(await call(agent, 'get_skill', { name: 'german' })).toMatchObject({
      text: 'There is no such skill.',
      isError: true,
    });
    const { resources } = await agent.listResources();
    expect(resources).toMatchObject([{ uri: 'skill://french', name: 'french', mimeType: 'text/markdown' }]);
    const { contents } = await agent.readResource({ uri: 'skill://french' });
    expect(contents).toEqual([{ uri: 'skill://french', mimeType: 'text/markdown', text: instructions }]);
    await expect(agent.readResource({ uri: 'skill://german' })).rejects.toThrow();
    await expect(agent.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
    await call(agent, 'ask', { question: 'Q?', skills: 'french' });
    expect(JSON.stringify(provider.requests)).toContain(instructions);
  });

  test('that misspells the run before, or the threshold of approvals, or names an agent, is told so, and no run begins', async () => {
    const agent = await connect({ version });
    provider.script(inTurn({ text: 'Anew.' }));
    for (const [name, meant] of [
      ['previous_run_id', 'previousRunId'],
      ['approve_threshold', 'approveThreshold'],
    ] as const)
      expect(await call(agent, 'ask', { question: 'And?', [name]: 1 })).toMatchObject({
        text: `${name}: is not a field: write ${meant}`,
        isError: true,
      });
    expect(await call(agent, 'ask', { question: 'And?', agent: 'triage' })).toMatchObject({
      text: 'agent: is not taken here: each agent is a tool of its own',
      isError: true,
    });
    expect(provider.requests).toEqual([]);
  });

  test('is told what a run asks, and goes on from it', async () => {
    const agent = await connect({ version });
    provider.script(inTurn({ calls: [{ name: 'save_data', args: { name: 'harbour', value: 'Urk' } }] }));
    const asking = await call(agent, 'ask', { question: 'Remember Urk.', approve: 'writes' });
    const { agentId, asked } = asking.data as { agentId: string; asked: { calls: { id: string }[] } };
    const callId = asked.calls[0]!.id;
    expect(asking).toEqual({
      text: [
        `The run ${agentId} cannot answer yet: The run needs your approval for these calls: save_data.`,
        '- approvals: Whether each call in `calls` may be made.',
        `- approval ${callId}: save_data {"name":"harbour","value":"Urk"}`,
        'Call ask with this agentId as previousRunId and with what is missing.',
        'Give it functions and approve again: the run has only those.',
      ].join('\n'),
      data: expect.objectContaining({
        status: 'awaiting_input',
        asked: {
          expected: [expect.objectContaining({ name: 'approvals' })],
          calls: [expect.objectContaining({ type: 'approval', name: 'save_data' })],
        },
      }),
      isError: false,
    });
    provider.script(inTurn({ text: 'Saved.' }));
    const approvals = [{ callId, approve: true }];
    expect(await call(agent, 'ask', { previousRunId: agentId, approvals })).toMatchObject({ text: 'Saved.' });
    expect(await call(agent, 'ask', { previousRunId: agentId, approvals })).toMatchObject({
      text: 'The calls were approved before, by another run.',
      isError: true,
    });
  });

  test('lends a function, and brings its result', async () => {
    const agent = await connect({ version });
    provider.script(inTurn({ calls: [{ name: 'stock_of', args: { article: 'rope' } }] }));
    const functions = [{ name: 'stock_of', parameters: { type: 'object' } }];
    const { data } = await call(agent, 'ask', { question: 'Is there rope?', functions });
    const { agentId, asked } = data as { agentId: string; asked: { calls: { id: string }[] } };
    provider.script(inTurn({ text: '12 pieces.' }));
    const functionResults = [{ callId: asked.calls[0]!.id, result: '12' }];
    expect(await call(agent, 'ask', { previousRunId: agentId, functions, functionResults })).toMatchObject({
      text: '12 pieces.',
    });
  });

  test('cannot see another key’s run by any tool', async () => {
    const owner = await connect({ version });
    const { data } = await call(owner, 'ask', { question: 'Q?' });
    const { key } = await service.newAccount();
    const stranger = await connect({ version, key });
    for (const name of ['get_run', 'cancel_run'])
      for (const agentId of [data.agentId, 'x', '../..'])
        expect(await call(stranger, name, { agentId })).toEqual({
          text: 'This key has no such run. It may have expired.',
          data: {},
          isError: true,
        });
    const followed = await call(stranger, 'ask', { question: 'Q?', previousRunId: data.agentId });
    expect(followed).toEqual({
      text: 'This key has no such run. It may have expired.',
      data: {},
      isError: true,
    });
  });

  test('without credits, with wrong arguments or an unknown tool gets an error that says what is wrong', async () => {
    const { key } = await service.newAccount('0');
    const agent = await connect({ version, key });
    expect(await call(agent, 'ask', { question: 'Q?' })).toEqual({
      text: 'No remaining credits (EUR)',
      data: {},
      isError: true,
    });
    expect(await call(agent, 'ask', {})).toMatchObject({
      text: expect.stringMatching(/^question: /),
      isError: true,
    });
    expect(await call(agent, 'ask', { question: 'Q?', waitSeconds: 1e9 })).toMatchObject({
      text: 'waitSeconds: must be at most 280',
      isError: true,
    });
    expect(await call(agent, 'ask', { question: 'Q?', model: 'none' })).toMatchObject({ isError: true });
    await expect(agent.callTool({ name: 'rm', arguments: {} })).rejects.toThrow('no tool of this name');
  });
});

describe('POST /mcp', () => {
  test('without a key is a 401 that says how keys are sent', async () => {
    for (const key of ['', 'errand_wrong']) {
      const refused = await send(listTools, {}, key);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(await refused.json()).toMatchObject({
        jsonrpc: '2.0',
        error: { message: 'Unauthorized' },
        id: null,
      });
    }
  });

  test('counts each request, and refuses those over the rate', async () => {
    const first = await send(listTools);
    const second = await send(listTools);
    const left = [first, second].map(({ headers }) => Number(headers.get('RateLimit-Remaining')));
    expect(left[0]! - left[1]!).toBe(1);
    expect(first.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test.each(['GET', 'DELETE', 'PUT'])('has no %s: there are no sessions', async (method) => {
    const refused = await service.request('/mcp', { method });
    expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'POST']);
  });

  test.each([
    ['no JSON', '{', 400, -32_700],
    ['a batch', [listTools, listTools], 400, -32_600],
    ['no object', '"tools/list"', 400, -32_600],
    ['another message', { hello: 'world' }, 400, -32_600],
    ['too deep JSON', '['.repeat(2_000) + ']'.repeat(2_000), 400, -32_600],
    [
      'a key of a prototype',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}',
      400,
      -32_600,
    ],
    ['an id that is too long', { ...listTools, id: tooLong }, 400, -32_600],
    ['a method that is too long', { ...listTools, method: tooLong }, 400, -32_600],
    ['a progressToken that is too long', withParams({ _meta: { progressToken: tooLong } }), 400, -32_602],
    ['a cursor that is too long', withParams({ cursor: tooLong }), 400, -32_602],
    [
      'a tool’s name that is too long',
      { ...withParams({ name: tooLong }), method: 'tools/call' },
      400,
      -32_602,
    ],
    [
      'a resource that is too long',
      { ...withParams({ uri: `skill://${tooLong}` }), method: 'resources/read' },
      400,
      -32_602,
    ],
    ['a version that is too long', withParams({ protocolVersion: tooLong }), 400, -32_602],
    ['parameters of too many fields', withParams(tooMany), 400, -32_602],
    ['a `_meta` of too many fields', withParams({ _meta: tooMany }), 400, -32_602],
    ['arguments of too many fields', withParams({ arguments: tooMany }), 400, -32_602],
    ['an unknown method', { ...listTools, method: 'none/none' }, 200, -32_601],
    [
      'a stream of changes, of which there are none',
      { ...listTools, method: 'subscriptions/listen' },
      200,
      -32_601,
    ],
  ])('answers %s in JSON-RPC', async (_, body, status, code) => {
    const answer = await send(body);
    const text = await answer.text();
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? text);
    expect([answer.status, JSON.parse(json)]).toMatchObject([status, { error: { code } }]);
    // What is refused for its length is not repeated.
    expect(text.length).toBeLessThan(500);
  });

  test('repeats a progressToken and an id of the greatest length', async () => {
    const longest = tooLong.slice(1);
    const answer = await send({
      jsonrpc: '2.0',
      id: longest,
      method: 'tools/call',
      params: { name: 'ask', arguments: { question: 'Q?' }, _meta: { progressToken: longest } },
    });
    const lines = [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
    expect(lines[0].params.progressToken).toBe(longest);
    expect(lines.at(-1)).toMatchObject({ id: longest, result: { content: [{ text: 'Paris' }] } });
    expect(answer.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
  });

  test.each([
    ['what it cannot send', { Accept: 'text/html' }, 406],
    ['a body that is no JSON', { 'Content-Type': 'text/plain' }, 415],
    ['a version that nobody has', { 'MCP-Protocol-Version': '1999-01-01' }, 400],
  ])('refuses %s', async (_, headers, status) => {
    expect((await send(listTools, headers)).status).toBe(status);
  });

  test('takes a message of megabytes, and forgets it', async () => {
    const question = 'x'.repeat(5_000_000);
    const answer = await send({
      ...listTools,
      method: 'tools/call',
      params: { name: 'ask', arguments: { question } },
    });
    expect(await answer.text()).toContain('must have at most 200000 characters');
    expect((await send(' '.repeat(7_000_000))).status).toBe(413);
  });
});
