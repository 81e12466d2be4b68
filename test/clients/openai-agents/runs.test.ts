import { Agent, hostedMcpTool, OpenAIProvider, Runner, tool } from '@openai/agents';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { type StrangeServer, startStrangeServer } from '../../remote-tools/support/strange-server.ts';
import { collect } from '../support/collect.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const weather = tool({
  name: 'weather',
  description: 'Reads the thermometer of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `21 degrees in ${city}`,
});
const base = { model: 'agent:default', instructions: 'Be brief.' };
const forecaster = new Agent({ ...base, name: 'Forecaster', tools: [weather] });
const question = 'How warm is it in Köln?';

let strange: StrangeServer;
beforeAll(async () => {
  strange = await startStrangeServer();
});
afterAll(() => strange.stop());

const runOf = ({ url, key }: Errand): Runner['run'] => {
  connect(url, key);
  // `run` keeps the first client of the process, which other tests may have set.
  const runner = new Runner({ modelProvider: new OpenAIProvider() });
  return runner.run.bind(runner);
};

const said = () => strange.seen.filter(({ method }) => method === 'tools/call').length;

const speaker = (onApproval?: () => Promise<{ approve: boolean }>) =>
  new Agent({
    ...{ ...base, name: 'Speaker' },
    tools: [
      hostedMcpTool({
        ...{ serverLabel: 'odd', serverUrl: strange.url, allowedTools: ['say'] },
        ...{ requireApproval: 'always', onApproval },
      }),
    ],
  });

const forecast = z.object({ city: z.string(), degrees: z.number().nullable() });
const value: z.infer<typeof forecast> = { city: 'Köln', degrees: 21 };
const writes = says(JSON.stringify({ value, sources: [{ pointer: '', numbers: [0] }] }));

client(
  '@openai/agents',
  'agents whose model is a run',
  ({ works }) => {
    works('`outputType` with zod, after a tool was called', async (errand) => {
      const agent = new Agent({ ...base, name: 'Forecaster', tools: [weather], outputType: forecast });
      errand.upstream.script(calls('weather', { city: 'Köln' }), says('I have found it.'), writes);
      const { finalOutput } = await runOf(errand)(agent, question);
      expect(finalOutput).toEqual(value);
      expect(errand.upstream.requests[1]?.text).toContain('21 degrees in Köln');
    });

    works('an agent with a tool, whose output goes back with the whole conversation', async (errand) => {
      errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
      const result = await runOf(errand)(forecaster, question);
      expect(result.finalOutput).toBe('It is 21 degrees.');
      expect(errand.upstream.requests[1]?.text).toContain('21 degrees in Köln');
    });

    works('a streamed run with a tool', async (errand) => {
      errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
      const result = await runOf(errand)(forecaster, question, { stream: true });
      expect((await collect(result.toTextStream())).join('')).toBe('It is 21 degrees.');
      await result.completed;
    });

    works('`previousResponseId`, with a tool', async (errand) => {
      errand.upstream.script(says('Hello'));
      const first = await runOf(errand)(forecaster, 'I am Ada.');
      errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
      const previousResponseId = first.lastResponseId!;
      const second = await runOf(errand)(forecaster, question, { previousResponseId });
      expect(second.finalOutput).toBe('It is 21 degrees.');
      expect(errand.upstream.requests[0]?.text).toContain('I am Ada.');
    });

    works('`hostedMcpTool` with `requireApproval` and `onApproval`', async (errand) => {
      errand.upstream.script(calls('odd__say', { text: 'hello' }), says('Done.'));
      const before = said();
      const result = await runOf(errand)(
        speaker(async () => ({ approve: true })),
        'Say hello.',
      );
      expect([result.finalOutput, said() - before]).toEqual(['Done.', 1]);
    });

    works('`hostedMcpTool` whose approval a person gives later: `interruptions`', async (errand) => {
      errand.upstream.script(calls('odd__say', { text: 'hello' }), says('Done.'));
      const agent = speaker();
      const before = said();
      const asked = await runOf(errand)(agent, 'Say hello.');
      expect(asked.interruptions).toHaveLength(1);
      expect(said()).toBe(before);
      asked.state.approve(asked.interruptions[0]!);
      const result = await runOf(errand)(agent, asked.state);
      expect([result.finalOutput, said() - before]).toEqual(['Done.', 1]);
    });
  },
  () => ({ FETCH_ALLOWED_HOSTS: strange.host }),
);
