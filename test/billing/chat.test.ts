import { limits } from '@errand/platform';
import { expect } from 'vitest';
import type { House } from './support/house.ts';
import { type Entry, freeze, revoke, row, sending, useStage } from './support/row.ts';
import { holdTimeouts } from './support/timers.ts';

useStage();

const answered: Partial<Entry> = {
  kind: 'completion',
  inputTokens: 100,
  outputTokens: 10,
  amount: '-0.00012',
};
const inputAlone: Partial<Entry> = {
  kind: 'completion',
  inputTokens: 9,
  outputTokens: 0,
  amount: '-0.000009',
  brokenOff: true,
};

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

row('plain chat', 'it is not answered within 55 s (504)', 'its input', async (house) => {
  const end = holdTimeouts(limits.answerMilliseconds);
  const answer = house.chat();
  const call = await house.provider.next();
  end();
  expect((await answer).status).toBe(504);
  await call.closed;
  return [inputAlone];
});

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
  expect([500, 503]).toContain((await house.chat()).status);
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
  'the process dies while the provider works, before 10 s',
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
  'the process dies while the provider works, after 10 s',
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

/** A client that has read so many chunks of a stream, and can leave. */
async function readingStream(house: House, body: object = {}) {
  const client = new AbortController();
  const answer = house.chat({ stream: true, ...body }, { signal: client.signal });
  const call = await house.provider.next();
  return {
    call,
    leave: () => client.abort(),
    async read(...texts: string[]) {
      await call.chunks(...texts);
      const reader = (await answer).body!.getReader();
      const decoder = new TextDecoder();
      let text = '';
      const until = async (part: string) => {
        while (!text.includes(part)) {
          const { done, value } = await reader.read();
          if (done) throw new Error(`ended without ${part}: ${text}`);
          text += decoder.decode(value, { stream: true });
        }
        return text;
      };
      await until(texts.at(-1)!);
      return until;
    },
    answer,
  };
}

const twoChunks: Partial<Entry> = {
  kind: 'completion',
  inputTokens: 9,
  outputTokens: 2,
  amount: '-0.000013',
  brokenOff: true,
};

row('stream', 'the client leaves before the first byte', 'its input', async (house) => {
  const { call, leave, answer } = await readingStream(house);
  answer.catch(() => {});
  leave();
  await call.closed;
  return [inputAlone];
});

row('stream', 'the client leaves after some chunks', 'its input, and the output that came', async (house) => {
  const { call, leave, read } = await readingStream(house);
  await read('Hello', ' world');
  leave();
  await call.closed;
  return [twoChunks];
});

row(
  'stream',
  'the client leaves after the last chunk, before `[DONE]`',
  'the whole answer',
  async (house) => {
    const held = house.holdStore('TransactWriteItemsCommand');
    const { call, leave, read } = await readingStream(house);
    await read('Hello', ' world');
    call.endStream();
    await held.asked;
    leave();
    held.open();
    return [answered];
  },
);

row('stream', 'the provider breaks off before the first chunk (503)', 'nothing', async (house) => {
  house.provider.script((call) => void call.half());
  expect((await house.chat({ stream: true })).status).toBe(503);
  return [];
});

row(
  'stream',
  'the provider breaks off after some chunks',
  'its input, and the output that came',
  async (house) => {
    const { call, read } = await readingStream(house);
    const until = await read('Hello', ' world');
    call.reset();
    expect(await until('[DONE]')).toContain('upstream_failed');
    return [twoChunks];
  },
);

row('stream', 'the provider is silent for 300 s before the first chunk', 'nothing', async (house) => {
  const { call, answer } = await readingStream(house, { model: 'hasty' });
  expect((await answer).status).toBe(503);
  await call.closed;
  return [];
});

row(
  'stream',
  'the provider is silent for 300 s after some chunks',
  'its input, and the output that came',
  async (house) => {
    const { read } = await readingStream(house, { model: 'hasty' });
    const until = await read('Hello', ' world');
    expect(await until('[DONE]')).toContain('upstream_failed');
    return [twoChunks];
  },
);

row('stream', 'the key is revoked before the first chunk (401)', 'its input', async (house) => {
  const { call, answer } = await readingStream(house);
  await revoke(house);
  expect((await answer).status).toBe(401);
  await call.closed;
  return [inputAlone];
});

row(
  'stream',
  'the key is revoked after some chunks',
  'its input, and the output that came',
  async (house) => {
    const { read } = await readingStream(house);
    const until = await read('Hello', ' world');
    await revoke(house);
    expect(await until('[DONE]')).toContain('unauthorized');
    return [twoChunks];
  },
);

row(
  'stream',
  'the account is frozen after some chunks',
  'its input, and the output that came',
  async (house) => {
    const { read } = await readingStream(house);
    const until = await read('Hello', ' world');
    await freeze(house);
    expect(await until('[DONE]')).toContain('unauthorized');
    return [twoChunks];
  },
);

row('stream', 'the process stops before the first chunk (503)', 'nothing', async (house) => {
  const { call, answer } = await readingStream(house);
  await house.stopApi();
  expect((await answer).status).toBe(503);
  await call.closed;
  return [];
});

row('stream', 'the process stops after some chunks', 'its input, and the output that came', async (house) => {
  const { read } = await readingStream(house);
  const until = await read('Hello', ' world');
  const [text] = await Promise.all([until('[DONE]'), house.stopApi()]);
  expect(text).toContain('upstream_failed');
  return [twoChunks];
});

row(
  'stream',
  'its credits end (`finish_reason` `length`)',
  'its input, and the output that came: no more than there was',
  async (house) => {
    const { call, answer } = await readingStream(house);
    await call.chunks(...Array.from({ length: 200 }, (_, i) => ` word${i}`));
    const text = await (await answer).text();
    expect(text).toContain('"finish_reason":"length"');
    const { balance } = (await (await house.request('/v1/credits')).json()) as { balance: string };
    expect(Number(balance)).toBeGreaterThanOrEqual(0);
    return [{ kind: 'completion', inputTokens: 9, outputTokens: expect.any(Number) }];
  },
  { credits: '0.0001' },
);

row(
  'stream',
  'the process dies after some chunks, after 10 s',
  'its input, and the output at the last renewal',
  async (house, { open }) => {
    let ahead = 0;
    const other = await open({ caller: house.caller, clock: () => Date.now() + ahead });
    const { call, read } = await readingStream(house);
    await read('Hello', ' world');
    await renewed(house);
    await call.chunks(' and', ' more');
    house.die();
    ahead = afterReservation;
    expect(await other.reserved()).toBe('0');
    return [twoChunks];
  },
);

row('30 streams', 'all clients leave before the first byte', 'the input of each', async (house) => {
  const chats = Array.from({ length: 30 }, () =>
    sending((signal) => house.chat({ stream: true }, { signal })),
  );
  const calls = await Promise.all(chats.map(() => house.provider.next()));
  for (const { leave } of chats) leave();
  await Promise.all(calls.map(({ closed }) => closed));
  return chats.map(() => inputAlone);
});

const afterReservation = limits.reservationSeconds * 1000 + 10_000;

/** Has the reservation of the call in work renewed, and waits until it is. */
async function renewed(house: House): Promise<void> {
  const written = house.holdStore('PutItemCommand');
  house.timers.end(limits.reservationRenewalMilliseconds);
  await written.asked;
  const renewing = house.holdStore('UpdateItemCommand');
  written.open();
  await renewing.asked;
  renewing.open();
  house.parts.aws.dynamodb.middlewareStack.remove('hold');
}
