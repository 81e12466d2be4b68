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
  const says = [{ calls: [{ name: 'odd__say', args: { text: 'hello' } }] }, { text: 'Done.' }];
  const named = { tool_names: ['say', 'look'] };
  const calls = () => strange.seen.filter(({ method }) => method === 'tools/call').length;

  test.each([
    ['always', 'always'],
    ['always, by name', { always: { tool_names: ['say'] } }],
    ['for all but others', { never: { tool_names: ['look'] } }],
    ['for all', { never: { tool_names: [] } }],
    ['for all but others, whatever tools there are', { never: { tool_names: ['look'] } }, null],
    ['by name', { always: { tool_names: ['say'] }, never: { tool_names: ['*'] } }, null],
  ])(
    'is asked for approval %s, streamed and by id, and the call is made once it is given',
    async (_, rule, none?: null) => {
      provider.script(inTurn(...says));
      const tool = { ...mcp(), require_approval: rule, allowed_tools: none === null ? none : named };
      const made = calls();
      const stream = client.responses.stream(ask(tool));
      const types: string[] = [];
      for await (const { type } of stream) types.push(type);
      const asked = await stream.finalResponse();
      expect(types.slice(3)).toEqual(
        ['added', 'done'].map((end) => `response.output_item.${end}`).concat('response.completed'),
      );
      expect(asked).toMatchObject({ status: 'completed', incomplete_details: null });
      expect(asked.output).toEqual([
        {
          ...{
            type: 'mcp_approval_request',
            server_label: 'odd',
            name: 'say',
            arguments: '{"text":"hello"}',
          },
          id: expect.stringMatching(/^mcpr_.+_[0-9a-f]{32}$/),
        },
      ]);
      expect((await client.responses.retrieve(asked.id)).output).toEqual(asked.output);
      expect(calls()).toBe(made);
      provider.script(inTurn({ text: 'Done.' }));
      const reply = {
        type: 'mcp_approval_response',
        approval_request_id: asked.output[0]!.id!,
        approve: true,
      } as const;
      const next = {
        ...ask(tool),
        input: [reply],
        previous_response_id: asked.id,
        instructions: 'Be brief.',
      };
      const answer = await client.responses.create(next);
      expect(answer).toMatchObject({
        ...{ status: 'completed', output_text: 'Done.', previous_response_id: asked.id },
        output: [{ type: 'mcp_call', server_label: 'odd', name: 'say', status: 'completed' }, {}],
      });
      expect(calls()).toBe(made + 1);
      const items = await client.responses.inputItems.list(answer.id);
      expect(items.data).toMatchObject([{ ...reply, id: expect.any(String), reason: null }]);
      expect(items.data).toHaveLength(1);
      await expect(client.responses.create(next)).rejects.toMatchObject({
        ...{ status: 409, code: 'run_cannot_continue' },
      });
    },
  );

  test.each([
    ['never', 'never'],
    ['absent', undefined],
    ['of other tools', { always: { tool_names: ['look'] } }],
    ['of all but it', { never: { tool_names: ['say'] } }],
    ['of no tool that is offered', { always: { tool_names: ['look'] }, never: { tool_names: ['say'] } }],
  ])('is not asked where approval is %s', async (_, require_approval) => {
    provider.script(inTurn(...says));
    const answer = await client.responses.create(ask({ ...mcp(), require_approval }));
    expect(answer.output).toMatchObject([{ type: 'mcp_call', status: 'completed' }, { type: 'message' }]);
  });

  test('refuses a call with its reason, which the model reads', async () => {
    provider.script(inTurn(...says));
    const tool = { ...mcp(), require_approval: 'always' };
    const asked = await client.responses.create(ask(tool));
    const other = await client.responses.create(ask(tool));
    provider.script(inTurn({ text: 'Not said.' }));
    const made = calls();
    const reply = (id: string) => ({
      ...({ type: 'mcp_approval_response', approval_request_id: id } as const),
      ...{ approve: false, reason: 'Too loud.' },
    });
    const next = { ...ask(tool), previous_response_id: asked.id };
    const foreign = client.responses.create({ ...next, input: [reply(other.output[0]!.id!)] });
    await expect(foreign).rejects.toMatchObject({ status: 400, param: 'input[0].approval_request_id' });
    const answer = await client.responses.create({ ...next, input: [reply(asked.output[0]!.id!)] });
    expect(answer.output_text).toBe('Not said.');
    expect(provider.requests[0]?.messages.at(-1)?.content).toContain('Too loud.');
    expect(calls()).toBe(made);
  });

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
    ['a rule of approvals that is none', { require_approval: 'sometimes' }, 'tools[1].require_approval'],
    ['a filter of approvals', { require_approval: { never: {} } }, 'tools[1].require_approval'],
    ['approval by kind', { require_approval: { never: { read_only: true } } }, 'tools[1].require_approval'],
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
