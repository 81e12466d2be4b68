import { createErrand, type Errand, type JsonSchema } from '@errand/client';
import { startStandIns } from '@errand/stand-ins';
import { describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService, useServiceBefore } from '../support/use-service.ts';

const shape: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { port: { type: 'string' }, note: { type: ['string', 'null'] } },
        required: ['port', 'note'],
      },
    },
  },
  required: ['title', 'rows'],
};

const connect = ({ baseUrl, apiKey }: TestService): Errand => createErrand({ baseUrl, apiKey });

describe.each([true, false])('a stand-in that takes response_format: %s', (structuredOutput) => {
  let errand: Errand;
  useServiceBefore(
    () => startStandIns({ host: '127.0.0.1' }),
    ({ service }) => {
      errand = connect(service);
    },
    ({ baseUrl }) => ({
      catalogue: {
        models: [
          {
            ...{ id: 'stand-in', kind: 'chat', upstream: { baseUrl, model: 'stand-in' } },
            price: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
            ...{ contextTokens: 32_768, capabilities: { structuredOutput } },
          },
        ],
        roles: { reasoning: 'stand-in' },
      },
    }),
  );

  test('answers with a value that says that it is one, and quotes what it has read with its source', async () => {
    const file = new File(
      ['The ferry to Texel leaves from Den Helder. It was late by an hour.'],
      'ferry.txt',
    );
    const run = await errand.run({ question: 'Where does the ferry leave from?' }, { file, schema: shape });
    expect(run.output).toMatchObject({
      title: 'stand-in',
      rows: [{ port: 'The ferry to Texel leaves from Den Helder.' }, {}],
    });
    const cited = run.basis?.find(({ pointer }) => pointer === '/rows/0/port');
    expect(cited?.citations).toMatchObject([{ type: 'file_citation', filename: 'ferry.txt' }]);
    expect(run.basis?.find(({ pointer }) => pointer === '/title')?.citations).toEqual([]);
  });
});

describe('the client', () => {
  let provider: Provider;
  let errand: Errand;
  useService(({ provider: started, service }) => {
    provider = started;
    errand = connect(service);
  });

  const expected = [{ name: 'question', description: 'The port.' }];
  const asking = { calls: [{ name: 'request_input', args: { message: 'Which port?', expected } }] };
  const value = { title: 'Ferries', rows: [] };
  const written = { text: JSON.stringify({ value, sources: [] }) };
  const confirmed = { calls: [{ name: 'confirm_answer', args: {} }] };
  const question = { question: 'Which ferries are there?' };

  test('answers what a run asks with the schema of its question; a further question has its own', async () => {
    provider.script(inTurn(asking));
    const run = await errand.runs.start(question, { schema: shape });
    expect(await run.wait()).toMatchObject({ status: 'awaiting_input' });
    provider.script(inTurn({ text: 'One.' }, written, confirmed));
    const answered = await run.answer('Den Helder');
    expect(await answered.wait()).toMatchObject({ output: value });
    provider.script(inTurn({ text: 'At noon.' }));
    const further = await answered.follow('When?');
    expect(await further.wait()).toMatchObject({ result: 'At noon.' });
    expect((await further.wait()).output).toBeUndefined();
    provider.script(inTurn({ text: 'One.' }, written, confirmed));
    const shaped = await further.follow('And which?', { schema: shape });
    expect(await shaped.wait()).toMatchObject({ output: value });
  });

  test('throws a run that asks for something, and one that has failed, from `run`', async () => {
    provider.script(inTurn(asking));
    await expect(errand.run(question, { schema: shape })).rejects.toMatchObject({
      ...{ name: 'RunError', message: 'Which port?', run: { status: 'awaiting_input' } },
    });
    provider.script(inTurn({ text: 'One.' }, { text: '{"value":{},"sources":[]}' }));
    await expect(errand.run(question, { schema: shape })).rejects.toMatchObject({
      ...{ name: 'RunError', message: expect.stringContaining('title') },
      run: { status: 'failed', stopReason: 'schema' },
    });
  });

  test('resolves with a run that has succeeded without a schema', async () => {
    provider.script(inTurn({ text: 'Two.' }));
    expect(await errand.run(question)).toMatchObject({ status: 'succeeded', result: 'Two.' });
  });
});
