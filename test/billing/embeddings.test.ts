import { limits } from '@errand/platform';
import { expect } from 'vitest';
import { longText } from '../flows/support/long-texts.ts';
import { embeddingsOf, wordsOf } from '../support/embedding-server.ts';
import type { HeldCall } from './support/held-provider.ts';
import type { House } from './support/house.ts';
import { type Entry, revoke, row, sending, useStage } from './support/row.ts';
import { holdTimeouts } from './support/timers.ts';

useStage();

const embed = (house: House, signal?: AbortSignal) =>
  house.post('/v1/embeddings', { model: 'meaning', input: 'The parcel is late.' }, { signal });

const usage = { prompt_tokens: 70, total_tokens: 70 };
const answer = (call: HeldCall) =>
  call.json(200, { object: 'list', data: [{ index: 0, embedding: [0.5, 0.5] }], usage });

const answered: Partial<Entry> = { kind: 'embedding', inputTokens: 70, amount: '-0.00007' };
const inputAlone: Partial<Entry> = {
  kind: 'embedding',
  inputTokens: 5,
  amount: '-0.000005',
  brokenOff: true,
};

row('embeddings', 'they are answered', 'their tokens', async (house) => {
  house.provider.script(answer);
  expect((await embed(house)).status).toBe(200);
  return [answered];
});

row('embeddings', 'the client leaves while the provider works', 'their input', async (house) => {
  const { leave } = sending((signal) => embed(house, signal));
  const call = await house.provider.next();
  leave();
  await call.closed;
  return [inputAlone];
});

row('embeddings', 'the key is revoked while the provider works (401)', 'their input', async (house) => {
  const asked = embed(house);
  await house.provider.next();
  await revoke(house);
  expect((await asked).status).toBe(401);
  return [inputAlone];
});

row('embeddings', 'they are not answered in time (504)', 'nothing', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const asked = embed(house);
  const call = await house.provider.next();
  end();
  const response = await asked;
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([504, 'false']);
  expect(await response.json()).toMatchObject({ error: { code: 'timeout' } });
  await call.closed;
  return [];
});

row('embeddings', 'the provider fails, or resets the connection (503)', 'nothing', async (house) => {
  house.provider.script((call) => call.json(500, {}));
  expect((await embed(house)).status).toBe(503);
  house.provider.script((call) => call.reset());
  expect((await embed(house)).status).toBe(503);
  return [];
});

/** A run whose model reads a long attached document with a query. Resolves when the provider has its passages. */
async function reading(house: House) {
  await house.startWorker();
  const bytes = longText(60_000, { 10: 'The ferry leaves at six.' });
  const created = await house.form([
    ['question', 'Why?'],
    ['file', { name: 'log.txt', bytes }],
  ]);
  const { agentId } = (await created.json()) as { agentId: string };
  const args = { url: 'log.txt', query: 'When does the boat sail?' };
  (await house.provider.next()).callTools([{ name: 'document_parse', args }]);
  return { agentId, call: await house.provider.next() };
}

const completion: Partial<Entry> = { kind: 'completion', inputTokens: 100, outputTokens: 10 };

/** Answers every call of a run, and each request for embeddings by this. */
const answering = (embeddings: (call: HeldCall) => void) => (call: HeldCall) =>
  call.path === '/v1/embeddings' ? embeddings(call) : call.complete('Because.');

row(
  'embeddings of a run',
  'a long document is read with a query',
  'the tokens of its passages, and those of the query',
  async (house) => {
    const embedded = answering((call) => call.json(200, embeddingsOf(JSON.stringify(call.body))));
    const { agentId, call } = await reading(house);
    house.provider.script(embedded);
    embedded(call);
    await house.follow(agentId);
    const texts = house.provider.asked.flatMap(({ body }) => (body.input as string[] | undefined) ?? []);
    const tokens = [texts.slice(0, -1), texts.slice(-1)].map(wordsOf);
    const embeddings = tokens.map((inputTokens) => ({ kind: 'embedding', inputTokens, runId: agentId }));
    return [completion, completion, completion, ...embeddings];
  },
);

row(
  'embeddings of a run',
  'the run is cancelled while the passages are in the hands of the provider',
  'their input',
  async (house) => {
    const { agentId, call } = await reading(house);
    expect(call.path).toBe('/v1/embeddings');
    await house.cancel(agentId);
    await call.closed;
    await house.follow(agentId);
    return [
      completion,
      { kind: 'embedding', inputTokens: expect.any(Number), brokenOff: true, runId: agentId },
    ];
  },
);

row('embeddings of a run', 'the provider fails', 'nothing: passages are found by words', async (house) => {
  const failing = answering((call) => call.json(500, {}));
  const { agentId, call } = await reading(house);
  house.provider.script(failing);
  failing(call);
  const results = (await house.follow(agentId)).filter(({ type }) => type === 'tool_result');
  expect(String(results[0]?.result)).toContain('These fit the query best.');
  return [completion, completion, completion];
});
