import { limits } from '@errand/platform';
import { expect } from 'vitest';
import { firstByteSeconds } from './support/catalogue.ts';
import { afterReservation, answered, inputAlone, renewed } from './support/chats.ts';
import type { House } from './support/house.ts';
import { type Entry, freeze, revoke, row, sending, useStage } from './support/row.ts';
import { holdTimeouts } from './support/timers.ts';

useStage();

row('plain chat', 'the client leaves before the provider has the request', 'nothing', async (house) => {
  const held = house.holdStore('UpdateItemCommand');
  const { answer, leave } = sending((signal) => house.chat({}, { signal }));
  await held.asked;
  leave();
  await expect(answer).rejects.toThrow();
  held.open();
  await house.stopApi();
  expect(house.provider.asked).toEqual([]);
  return [];
});

row('plain chat', 'the client leaves while the provider works', 'its input', async (house) => {
  const { leave } = sending((signal) => house.chat({}, { signal }));
  const call = await house.provider.next();
  leave();
  await call.closed;
  return [inputAlone];
});

row(
  'plain chat',
  'the client leaves between the answer and its charge',
  'the whole answer, once',
  async (house) => {
    const held = house.holdStore('TransactWriteItemsCommand');
    const { answer, leave } = sending((signal) => house.chat({}, { signal }));
    (await house.provider.next()).complete('Hello');
    await held.asked;
    leave();
    await expect(answer).rejects.toThrow();
    held.open();
    return [answered];
  },
);

row('plain chat', 'it is not answered in time (504)', 'nothing', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const answer = house.chat();
  const call = await house.provider.next();
  end();
  expect((await answer).status).toBe(504);
  await call.closed;
  return [];
});

/** A chat whose first provider is broken off because it said nothing, so that the next one has it. */
async function passedOn(house: House, more: object = {}, options?: { signal: AbortSignal }) {
  const end = holdTimeouts(firstByteSeconds * 1000);
  const answer = house.chat({ model: 'hurried', ...more }, options);
  const silent = await house.provider.next();
  end();
  await silent.closed;
  return { answer, call: await house.provider.next() };
}

row(
  'plain chat',
  'its provider says nothing, and the next one answers',
  'the whole answer',
  async (house) => {
    const { answer, call } = await passedOn(house);
    call.complete('Hello');
    expect((await answer).status).toBe(200);
    return [answered];
  },
);

row(
  'plain chat',
  'its provider says nothing, and the client leaves while the next one works',
  'its input, once',
  async (house) => {
    const client = new AbortController();
    const { answer, call } = await passedOn(house, {}, { signal: client.signal });
    client.abort();
    await expect(answer).rejects.toThrow();
    await call.closed;
    return [inputAlone];
  },
);

row(
  'plain chat',
  'its provider says nothing, and the next one fails with a 500 (503)',
  'nothing',
  async (house) => {
    const { answer, call } = await passedOn(house);
    call.json(500, { error: { message: 'no' } });
    expect((await answer).status).toBe(503);
    return [];
  },
);

row('plain chat', 'the provider refuses it with a 400 (400)', 'nothing', (house) => refused(house, 400, 400));
row('plain chat', 'the provider is busy, with a 429 (503)', 'nothing', (house) => refused(house, 429, 503));
row('plain chat', 'the provider fails with a 500 (503)', 'nothing', (house) => refused(house, 500, 503));

async function refused(house: House, status: number, told: number): Promise<Partial<Entry>[]> {
  house.provider.script((call) => call.json(status, { error: { message: 'no' } }));
  for (const stream of [false, true]) expect((await house.chat({ stream })).status).toBe(told);
  return [];
}

row('plain chat', 'the provider resets the connection (503)', 'nothing', async (house) => {
  house.provider.script((call) => call.reset());
  for (const stream of [false, true]) expect((await house.chat({ stream })).status).toBe(503);
  return [];
});

row('plain chat', 'the provider breaks off in the middle of its answer (503)', 'nothing', async (house) => {
  house.provider.script((call) => void call.half());
  expect((await house.chat()).status).toBe(503);
  return [];
});

row('plain chat', "the provider's answer cannot be read (503)", 'nothing', async (house) => {
  house.provider.script((call) => call.json(200, { html: true }));
  expect((await house.chat()).status).toBe(503);
  return [];
});

row('plain chat', 'the key is revoked while the provider works (401)', 'its input', async (house) => {
  const answer = house.chat();
  const call = await house.provider.next();
  await revoke(house);
  expect((await answer).status).toBe(401);
  await call.closed;
  return [inputAlone];
});

row('plain chat', 'the account is frozen while the provider works (401)', 'its input', async (house) => {
  const answer = house.chat();
  const call = await house.provider.next();
  await freeze(house);
  expect((await answer).status).toBe(401);
  await call.closed;
  return [inputAlone];
});

row('plain chat', 'the process stops while the provider works (503)', 'nothing', async (house) => {
  const answer = house.chat();
  const call = await house.provider.next();
  await house.stopApi();
  expect((await answer).status).toBe(503);
  await call.closed;
  return [];
});

row(
  'plain chat',
  'the process stops while the answer is being charged',
  'the whole answer',
  async (house) => {
    const held = house.holdStore('TransactWriteItemsCommand');
    const answer = house.chat();
    (await house.provider.next()).complete('Hello');
    await held.asked;
    const stopping = house.stopApi();
    held.open();
    expect((await answer).status).toBe(200);
    await stopping;
    return [answered];
  },
);

row(
  'plain chat',
  'the process dies while the provider works, before the first renewal',
  'nothing',
  async (house, { open }) => {
    let ahead = 0;
    const other = await open({ caller: house.caller, clock: () => Date.now() + ahead });
    void house.chat().catch(() => {});
    await house.provider.next();
    house.die();
    expect(await other.reserved()).not.toBe('0');
    ahead = afterReservation;
    expect(await other.reserved()).toBe('0');
    return [];
  },
);

row(
  'plain chat',
  'the process dies while the provider works, after a renewal',
  'its input, when the account is next looked at',
  async (house, { open }) => {
    let ahead = 0;
    const other = await open({ caller: house.caller, clock: () => Date.now() + ahead });
    void house.chat().catch(() => {});
    await house.provider.next();
    await renewed(house);
    house.die();
    ahead = afterReservation;
    expect(await other.reserved()).toBe('0');
    return [inputAlone];
  },
);

row('30 plain chats', 'all clients leave while the provider works', 'the input of each', async (house) => {
  const chats = Array.from({ length: 30 }, () => sending((signal) => house.chat({}, { signal })));
  const calls = await Promise.all(chats.map(() => house.provider.next()));
  for (const { leave } of chats) leave();
  await Promise.all(calls.map(({ closed }) => closed));
  return chats.map(() => inputAlone);
});
