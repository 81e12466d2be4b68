import { Agent, OpenAIProvider, Runner, run, tool } from '@openai/agents';
import OpenAI from 'openai';
import { expect } from 'vitest';
import { z } from 'zod';
import { collect } from '../support/collect.ts';
import { client, type Declare } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const question = 'How warm is it in Köln?';
const weather = tool({
  name: 'weather',
  description: 'Reads the thermometer of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `21 degrees in ${city}`,
});
const forecaster = new Agent({
  name: 'Forecaster',
  model: 'writer',
  instructions: 'Forecasts.',
  tools: [weather],
});
const desk = new Agent({ name: 'Desk', model: 'writer', instructions: 'Hands on.', handoffs: [forecaster] });

const textOf = ({ upstream }: Errand, number: number) => upstream.requests[number]?.text;

type Run = Runner['run'];

/** Agents whose runs ask one of the two APIs. */
const tryAgents =
  (runOf: (errand: Errand) => Run, responseId: RegExp): Declare =>
  ({ works }) => {
    works('`run` of an agent, with usage', async (errand) => {
      const run = runOf(errand);
      errand.upstream.script(says('Hello'));
      const result = await run(forecaster, 'Say hello');
      expect(result.finalOutput).toBe('Hello');
      expect(result.lastResponseId).toMatch(responseId);
      expect(result.state.usage).toMatchObject({ inputTokens: 20, outputTokens: 5 });
    });

    works('an agent with a tool', async (errand) => {
      const run = runOf(errand);
      errand.upstream.script(calls('weather', { city: 'Köln' }), says('It is 21 degrees.'));
      expect((await run(forecaster, question)).finalOutput).toBe('It is 21 degrees.');
      expect(textOf(errand, 1)).toContain('21 degrees in Köln');
    });

    works('a handoff to an agent with a tool', async (errand) => {
      const run = runOf(errand);
      errand.upstream.script(
        calls('transfer_to_Forecaster', {}),
        calls('weather', { city: 'Köln' }),
        says('It is 21 degrees.'),
      );
      const result = await run(desk, question);
      expect([result.finalOutput, result.lastAgent?.name]).toEqual(['It is 21 degrees.', 'Forecaster']);
    });

    works('a streamed run, with handoff and tool', async (errand) => {
      const run = runOf(errand);
      errand.upstream.script(
        calls('transfer_to_Forecaster', {}),
        calls('weather', { city: 'Köln' }),
        says('It is 21 degrees.'),
      );
      const result = await run(desk, question, { stream: true });
      const pieces = await collect(result.toTextStream());
      await result.completed;
      expect(pieces.join('')).toBe('It is 21 degrees.');
      expect(pieces.length).toBeGreaterThan(1);
      expect(result.finalOutput).toBe('It is 21 degrees.');
      expect(result.state.usage).toMatchObject({ inputTokens: 60, outputTokens: 15 });
    });

    works('`outputType` with zod', async (errand) => {
      const run = runOf(errand);
      errand.upstream.script(says('{"city":"Köln","celsius":21}'));
      const outputType = z.object({ city: z.string(), celsius: z.number() });
      const reporter = new Agent({ name: 'Reporter', model: 'writer', instructions: 'Reports.', outputType });
      expect((await run(reporter, question)).finalOutput).toEqual({ city: 'Köln', celsius: 21 });
      expect(errand.upstream.requests[0]?.body.response_format).toMatchObject({ type: 'json_schema' });
    });

    works('400: the error of the `openai` client', async (errand) => {
      const run = runOf(errand);
      const lost = new Agent({ name: 'Lost', model: 'nobody', instructions: 'None.' });
      await expect(run(lost, question)).rejects.toMatchObject({ status: 400, code: 'model_not_found' });
    });
  };

const byDefault = ({ url, key }: Errand): Run => {
  connect(url, key);
  return run;
};

const byChat = ({ url, key }: Errand): Run => {
  const openAIClient = new OpenAI({ baseURL: `${url}/v1`, apiKey: key });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }) });
  return runner.run.bind(runner);
};

client('@openai/agents', 'agents', tryAgents(byDefault, /^resp_/));

client('@openai/agents', 'agents by chat completions', tryAgents(byChat, /^chatcmpl/));
