import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type StrangeServer, startStrangeServer } from './support/strange-server.ts';

let strange: StrangeServer;
let provider: Provider;
let service: TestService;
let client: OpenAI;

beforeAll(async () => {
  strange = await startStrangeServer();
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: strange.host } }),
);
beforeAll(() => {
  client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: service.apiKey, maxRetries: 0 });
});

afterAll(async () => {
  await strange.stop();
});

const token = 'tok-for-responses-1234';

const mcp = () =>
  ({
    type: 'mcp',
    server_label: 'odd',
    server_url: strange.url,
    authorization: token,
    allowed_tools: ['say'],
    server_description: 'Says things.',
    require_approval: 'never',
  }) as const;

const ask = (...tools: object[]) => ({
  model: 'agent:default',
  input: 'Say hello.',
  tools: tools as OpenAI.Responses.Tool[],
});

describe("OpenAI's client", () => {
  test('gives a run a server, and reads its calls and their events', async () => {
    provider.script(inTurn({ calls: [{ name: 'odd__say', args: { text: 'hello' } }] }, { text: 'Done.' }));
    const types: string[] = [];
    let last: OpenAI.Responses.Response | undefined;
    for await (const event of await client.responses.create({ ...ask(mcp()), stream: true })) {
      if (event.type.includes('mcp')) types.push(event.type);
      if (event.type === 'response.completed') last = event.response;
    }
    expect(types).toEqual([
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
    ]);
    expect(last?.output[0]).toMatchObject({
      type: 'mcp_call',
      server_label: 'odd',
      name: 'say',
      arguments: '{"text":"hello"}',
      output: 'You said {"text":"hello"}.',
      status: 'completed',
    });
    expect(strange.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    expect(provider.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      'request_input',
      'odd__say',
      'confirm_answer',
    ]);
    const read = await client.responses.retrieve(last?.id ?? '');
    expect(read.output[0]).toEqual(last?.output[0]);
    expect(JSON.stringify(read)).not.toContain(token);
  });

  test.each([
    ['approval', { require_approval: 'always' }, 'tools[1].require_approval'],
    ['a filter of approvals', { require_approval: { never: {} } }, 'tools[1].require_approval'],
    ['a connector', { connector_id: 'connector_gmail' }, 'tools[1].connector_id'],
    ['headers', { headers: { a: 'b' } }, 'tools[1].headers'],
    ['no address', { server_url: undefined }, 'tools[1].server_url'],
    ['an address that may not be asked', { server_url: 'http://10.0.0.1/' }, 'tools[1].server_url'],
    ['a label that is none', { server_label: 'Two__Parts' }, 'tools[1].server_label'],
    ['a filter of tools', { allowed_tools: { read_only: true } }, 'tools[1].allowed_tools'],
  ])('is refused %s by the name of the field', async (_, fields, param) => {
    const refused = client.responses.create(ask({ type: 'web_search' }, { ...mcp(), ...fields }));
    await expect(refused).rejects.toMatchObject({ status: 400, param });
  });
});
