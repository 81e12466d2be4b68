import { readRunInput } from '@errand/runs';
import { runsDeps } from '@errand/service';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { type End, endRun } from '../runs/support/end-run.ts';
import { call, connectAgent, versions } from './support/agent.ts';

let ground: Ground;
let desk: Desk;

beforeAll(async () => {
  ground = await startGround();
  desk = await openDesk(ground);
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

const schema =
  '{"type":"object","properties":{"name":{"type":"string"},"10":{"type":["integer","null"]}},"additionalProperties":false}';
const value = '{"name":"Koopvaarders","10":null}';
const cited = {
  ...({ type: 'url_citation', url: 'https://example.com', title: 'Locks' } as const),
  ...{ number: 1, startIndex: 8, endIndex: 22, passage: 'The lock Koopvaarders.', support: 0.9 },
};
const withValue: End = {
  events: [{ type: 'done', finalText: value }],
  citations: [cited],
  basis: [
    { pointer: '/name', startIndex: 8, endIndex: 22, support: 0.9 },
    { pointer: '/10', startIndex: 28, endIndex: 32, support: 0.1 },
  ],
  unsupported: ['/10'],
};

describe.each(versions)('an agent that speaks %s', (version) => {
  let agent: Client;
  beforeAll(async () => {
    agent = await connectAgent(
      { baseUrl: 'http://errand.test', apiKey: desk.key },
      { version, fetch: (url, init) => desk.request(new URL(url).pathname, headed(init)) },
    );
    // The client then holds each answer against the schema of its tool.
    await agent.listTools();
  });
  afterAll(() => agent.close());

  const ask = async (args: object): Promise<string> => {
    const { data } = await call(agent, 'ask', { question: 'Which locks?', waitSeconds: 0, ...args });
    expect(data.status).toBe('queued');
    return String(data.agentId);
  };

  test('gives ask a schema, and gets the value that fits it with where its facts are from', async () => {
    const agentId = await ask({ outputSchema: JSON.parse(schema) as object });
    await endRun(desk, agentId, withValue);
    const { text, data, isError } = await call(agent, 'get_run', { agentId });
    expect(text).toBe(`${value}\n\nSources:\n- Locks https://example.com`);
    expect(isError).toBe(false);
    expect(data).toEqual({
      ...{ agentId, status: 'succeeded', answer: value, citations: [cited], credits: '0' },
      output: { name: 'Koopvaarders', 10: null },
      basis: [
        { pointer: '/name', citations: [cited], support: 0.9 },
        { pointer: '/10', citations: [], support: 0.1 },
      ],
      unsupported: ['/10'],
    });
  });

  test('is told why a run wrote nothing that fits, as an error', async () => {
    const agentId = await ask({ outputSchema: JSON.parse(schema) as object });
    const state = { phase: 'ended', stopReason: 'schema' } as unknown as End['state'];
    await endRun(desk, agentId, { events: [{ type: 'error', message: 'Nothing fits.' }], state });
    const { text, data, isError } = await call(agent, 'get_run', { agentId });
    expect([text, isError]).toEqual([`The run ${agentId} failed: Nothing fits.`, true]);
    expect(data).toMatchObject({ error: 'Nothing fits.', stopReason: 'schema' });
  });

  test.each<[string, unknown]>([
    ['outputSchema.not', { type: 'object', not: {} }],
    ['outputSchema', { type: 'string' }],
    ['outputSchema', 'object'],
    ['outputSchema', null],
  ])('reads what is wrong with a schema: %s', async (place, outputSchema) => {
    const { text, isError } = await call(agent, 'ask', { question: 'Which?', outputSchema });
    expect([isError, text]).toEqual([true, expect.stringContaining(`${place}: `)]);
  });

  test('is not held to prose by a misspelt name', async () => {
    const { text, isError } = await call(agent, 'ask', { question: 'Which?', output_schema: {} });
    expect([isError, text]).toEqual([true, expect.stringContaining('write outputSchema')]);
  });
});

/** Without the headers that the desk adds. */
function headed(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.delete('Authorization');
  headers.delete('Content-Type');
  return { ...init, headers: Object.fromEntries(headers) };
}

test('the keys of a schema reach the run in the order in which an agent writes them', async () => {
  const params = `{"name":"ask","arguments":{"question":"Which?","waitSeconds":0,"outputSchema":${schema}}}`;
  const response = await desk.request('/mcp', {
    method: 'POST',
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    headers: { Accept: 'application/json, text/event-stream' },
  });
  const [, agentId = ''] = /"agentId":"([^"]+)"/.exec(await response.text()) ?? [];
  expect((await readRunInput(runsDeps(desk.parts), agentId)).agent.outputSchema).toBe(schema);
});
