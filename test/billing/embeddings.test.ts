import { limits } from '@errand/platform';
import { expect } from 'vitest';
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
