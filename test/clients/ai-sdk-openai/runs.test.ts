import type { OpenAIResponsesProviderOptions } from '@ai-sdk/openai';
import { generateText, type ModelMessage, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { type StrangeServer, startStrangeServer } from '../../remote-tools/support/strange-server.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const model = ({ url, key }: Errand) => connect(url, key)('agent:default');
const weather = tool({
  description: 'Reads the thermometer of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `21 degrees in ${city}`,
});
const inSteps = { prompt: 'How warm is it in Köln?', tools: { weather }, stopWhen: stepCountIs(3) };

const script = ({ upstream }: Errand) =>
  upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));

let strange: StrangeServer;
beforeAll(async () => {
  strange = await startStrangeServer();
});
afterAll(() => strange.stop());

const said = () => strange.seen.filter(({ method }) => method === 'tools/call').length;

type Asked = Pick<Awaited<ReturnType<typeof generateText>>, 'content' | 'response'>;
type McpArgs = Parameters<ReturnType<typeof connect>['tools']['mcp']>[0];

const saysAndIsDone = ({ upstream }: Errand) =>
  upstream.script(calls('odd__say', { text: 'hello' }), says('Done.'));

/** What a generation is given that may call the server of tools. */
const withServer = (
  { url, key }: Errand,
  requireApproval: McpArgs['requireApproval'],
  more: Partial<McpArgs> = {},
) => ({
  model: connect(url, key)('agent:default'),
  tools: {
    odd: connect(url, key).tools.mcp({
      serverLabel: 'odd',
      serverUrl: strange.url,
      requireApproval,
      ...more,
    }),
  } as ToolSet,
});

const user = (content: string): ModelMessage => ({ role: 'user', content });

/** Answers all requests for approval. */
function reply({ content }: Pick<Asked, 'content'>, approved: boolean): ModelMessage {
  const ids = content.flatMap((part) => (part.type === 'tool-approval-request' ? part.approvalId : []));
  expect(ids).toHaveLength(1);
  return {
    role: 'tool',
    // The client sends no approval that is not marked so.
    content: ids.map((approvalId) => ({
      ...{ type: 'tool-approval-response', approvalId, approved, providerExecuted: true },
    })),
  };
}

client(
  '@ai-sdk/openai',
  'responses that are runs',
  ({ works }) => {
    works('`generateText` with tools, in several steps', async (errand) => {
      script(errand);
      const { text, steps } = await generateText({ model: model(errand), ...inSteps });
      expect([text, steps.length]).toEqual(['It is 21 degrees.', 2]);
      expect(errand.upstream.requests[1]?.text).toContain('21 degrees in Köln');
    });

    works('`streamText` with tools, in several steps', async (errand) => {
      script(errand);
      const result = streamText({ model: model(errand), ...inSteps });
      expect(await result.text).toBe('It is 21 degrees.');
      expect(await result.steps).toHaveLength(2);
    });

    works(
      'the tool `mcp` with `requireApproval`, a `tool-approval-response`, and a question after that',
      async (errand) => {
        saysAndIsDone(errand);
        const before = said();
        const given = withServer(errand, 'always');
        const asked = await generateText({ ...given, messages: [user('Say hello.')] });
        expect(said()).toBe(before);
        const messages = [user('Say hello.'), ...asked.response.messages, reply(asked, true)];
        const { text, content, response } = await generateText({ ...given, messages });
        expect([text, said() - before]).toEqual(['Done.', 1]);
        expect(content).toMatchObject([
          { type: 'tool-call', toolName: 'mcp.say', input: { text: 'hello' } },
          { type: 'tool-result', output: { type: 'call', serverLabel: 'odd', name: 'say' } },
          { type: 'text' },
        ]);
        errand.upstream.script(says('I said it.'));
        const more = [...messages, ...response.messages, user('What have you done?')];
        expect((await generateText({ ...given, messages: more })).text).toBe('I said it.');
        expect(errand.upstream.requests[0]?.text).toContain('Done.');
      },
    );

    works(
      'the tool `mcp` with `requireApproval: { never: { toolNames } }`, `allowedTools` and `system`, streamed',
      async (errand) => {
        saysAndIsDone(errand);
        const before = said();
        const given = {
          ...withServer(errand, { never: { toolNames: ['look'] } }, { allowedTools: ['say', 'look'] }),
          system: 'Be brief.',
        };
        const stream = streamText({ ...given, messages: [user('Say hello.')] });
        const asked = { content: await stream.content, response: await stream.response };
        expect(said()).toBe(before);
        const messages = [user('Say hello.'), ...asked.response.messages, reply(asked, true)];
        expect([await streamText({ ...given, messages }).text, said() - before]).toEqual(['Done.', 1]);
      },
    );

    works('a `tool-approval-response` that refuses', async (errand) => {
      saysAndIsDone(errand);
      const before = said();
      const given = withServer(errand, 'always');
      const asked = await generateText({ ...given, messages: [user('Say hello.')] });
      const messages = [user('Say hello.'), ...asked.response.messages, reply(asked, false)];
      expect([(await generateText({ ...given, messages })).text, said() - before]).toEqual(['Done.', 0]);
      expect(errand.upstream.requests[1]?.text).toContain('The caller has refused this call');
    });

    works('`previousResponseId` with a `tool-approval-response` and `system`', async (errand) => {
      saysAndIsDone(errand);
      const before = said();
      const given = { ...withServer(errand, 'always'), system: 'Be brief.' };
      const asked = await generateText({ ...given, messages: [user('Say hello.')] });
      const openai: OpenAIResponsesProviderOptions = { previousResponseId: asked.response.id };
      const messages = [...asked.response.messages, reply(asked, true)];
      const { text } = await generateText({ ...given, messages, providerOptions: { openai } });
      expect([text, said() - before]).toEqual(['Done.', 1]);
    });
  },
  () => ({ FETCH_ALLOWED_HOSTS: strange.host }),
);
