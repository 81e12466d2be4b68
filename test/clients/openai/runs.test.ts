import { zodResponsesFunction } from 'openai/helpers/zod';
import type { Response, ResponseInputItem, Tool } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { type StrangeServer, startStrangeServer } from '../../remote-tools/support/strange-server.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = 'agent:default';
const weather = zodResponsesFunction({ name: 'weather', parameters: z.object({ city: z.string() }) });
const responsesOf = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 }).responses;
const textOf = ({ upstream }: Errand, number: number) => upstream.requests[number]?.text;

let strange: StrangeServer;
beforeAll(async () => {
  strange = await startStrangeServer();
});
afterAll(() => strange.stop());

const server = (require_approval: Tool.Mcp['require_approval']): Tool.Mcp => ({
  ...{ type: 'mcp', server_label: 'odd', server_url: strange.url, require_approval },
});

const outputs = ({ output }: Response): ResponseInputItem[] =>
  output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: '21 degrees' }]
      : [],
  );

const replies = ({ output }: Response): ResponseInputItem[] =>
  output.flatMap(({ type, id }) =>
    type === 'mcp_approval_request'
      ? [{ type: 'mcp_approval_response' as const, approval_request_id: id, approve: true }]
      : [],
  );

client(
  'openai',
  'responses that are runs',
  ({ works }) => {
    works('`background: true` and `responses.retrieve`', async (errand) => {
      errand.upstream.script(says('Hello'));
      const { id, status } = await responsesOf(errand).create({ model, input: 'Greet.', background: true });
      expect(status).toBe('queued');
      await errand.service.follow(id);
      expect(await responsesOf(errand).retrieve(id)).toMatchObject({ output_text: 'Hello' });
    });

    works('`previous_response_id`, from run to run', async (errand) => {
      errand.upstream.script(says('Hello'));
      const { id } = await responsesOf(errand).create({ model, input: 'I am Ada.' });
      errand.upstream.script(says('You are Ada.'));
      const asked = { model, input: 'Who am I?', previous_response_id: id };
      expect(await responsesOf(errand).create(asked)).toMatchObject({ previous_response_id: id });
      expect(textOf(errand, 0)).toContain('I am Ada.');
    });

    works('tools of `zodResponsesFunction`, streamed, whose outputs go back', async (errand) => {
      errand.upstream.script(calls('weather', { city: 'Köln' }));
      const stream = responsesOf(errand).stream({ model, input: 'How warm?', tools: [weather] });
      const first = await stream.finalResponse();
      expect(first.output).toMatchObject([
        { type: 'function_call', name: 'weather', parsed_arguments: { city: 'Köln' } },
      ]);
      errand.upstream.script(says('It is 21 degrees.'));
      const next = { model, tools: [weather], previous_response_id: first.id };
      const second = await responsesOf(errand).create({ ...next, input: outputs(first) });
      expect(second.output_text).toBe('It is 21 degrees.');
      expect(textOf(errand, 0)).toContain('21 degrees');
    });

    works('tools whose outputs go back with the whole conversation', async (errand) => {
      errand.upstream.script(calls('weather', { city: 'Köln' }));
      const user = { role: 'user', content: 'How warm?' } as const;
      const first = await responsesOf(errand).create({ model, input: [user], tools: [weather] });
      errand.upstream.script(says('It is 21 degrees.'));
      const input = [user, ...first.output, ...outputs(first)] as ResponseInputItem[];
      const second = await responsesOf(errand).create({ model, input, tools: [weather] });
      expect(second).toMatchObject({ output_text: 'It is 21 degrees.', previous_response_id: first.id });
    });

    works('`mcp` with `require_approval`, and `mcp_approval_response`', async (errand) => {
      errand.upstream.script(calls('odd__say', { text: 'hello' }));
      const tools = [server('always')];
      const first = await responsesOf(errand).create({ model, input: 'Say hello.', tools });
      expect(first.output).toMatchObject([{ type: 'mcp_approval_request', name: 'say' }]);
      errand.upstream.script(says('Done.'));
      const next = { model, tools, previous_response_id: first.id };
      const second = await responsesOf(errand).create({ ...next, input: replies(first) });
      expect(second.output).toMatchObject([{ type: 'mcp_call', status: 'completed' }, {}]);
    });

    works('`mcp` with `require_approval: { never: { tool_names } }`', async (errand) => {
      errand.upstream.script(calls('odd__say', { text: 'hello' }));
      const ask = (unasked: string) => {
        const tools = [server({ never: { tool_names: [unasked] } })];
        return responsesOf(errand).create({ model, input: 'Say hello.', tools });
      };
      expect((await ask('look')).output).toMatchObject([{ type: 'mcp_approval_request', name: 'say' }]);
      errand.upstream.script(calls('odd__say', { text: 'hello' }), says('Done.'));
      expect((await ask('say')).output).toMatchObject([{ type: 'mcp_call', status: 'completed' }, {}]);
    });
  },
  () => ({ FETCH_ALLOWED_HOSTS: strange.host }),
);
