import { limits } from '@errand/platform';
import { expect, vi } from 'vitest';
import { afterReservation, answered, inputAlone, renewed } from './support/chats.ts';
import type { House } from './support/house.ts';
import { type Entry, freeze, revoke, row, sending, useStage } from './support/row.ts';
import { holdTimeouts } from './support/timers.ts';

useStage();

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

/** A model with hidden reasoning has written two chunks, and the client has left. The stream is read on. */
async function leftThinking(house: House) {
  const { call, leave, read } = await readingStream(house, { model: 'thinker' });
  await read('Hello', ' world');
  leave();
  await vi.waitFor(() => expect(house.timers.runs(limits.usageAfterLeavingMilliseconds)).toBe(true), 60_000);
  return call;
}

row(
  'stream of a model with hidden reasoning',
  'the client leaves after the last visible word, and the usage comes soon',
  'its input and output as the usage says, with the hidden reasoning',
  async (house) => {
    const call = await leftThinking(house);
    call.endStream({ input: 100, output: 500 });
    await call.closed;
    return [{ kind: 'completion', inputTokens: 100, outputTokens: 500, amount: '-0.0011', brokenOff: true }];
  },
);

row(
  'stream of a model with hidden reasoning',
  'the client leaves, and no usage comes soon',
  'its input, and the output that came',
  async (house) => {
    const call = await leftThinking(house);
    house.timers.end(limits.usageAfterLeavingMilliseconds);
    await call.closed;
    return [twoChunks];
  },
);

row(
  'stream of a model with hidden reasoning',
  'the client leaves, and the process stops before the usage',
  'its input, and the output that came',
  async (house) => {
    const call = await leftThinking(house);
    await house.stopApi();
    await call.closed;
    return [twoChunks];
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

row('stream', 'the provider is silent for too long before the first chunk', 'nothing', async (house) => {
  const { call, answer } = await readingStream(house, { model: 'hasty' });
  expect((await answer).status).toBe(503);
  await call.closed;
  return [];
});

row(
  'stream',
  'the provider is silent for too long after some chunks',
  'its input, and the output that came',
  async (house) => {
    const { read } = await readingStream(house, { model: 'hasty' });
    const until = await read('Hello', ' world');
    expect(await until('[DONE]')).toContain('upstream_failed');
    return [twoChunks];
  },
);

row('stream', 'it began without a chunk, and the provider refuses it', 'nothing', async (house) => {
  const end = holdTimeouts(limits.streamFirstByteMilliseconds);
  const { call, answer } = await readingStream(house);
  end();
  expect((await answer).status).toBe(200);
  call.json(400, { error: { message: 'no' } });
  expect(await (await answer).text()).toContain('"error"');
  return [];
});

row('stream', 'it began without a chunk, and the client leaves', 'its input', async (house) => {
  const end = holdTimeouts(limits.streamFirstByteMilliseconds);
  const { call, answer, leave } = await readingStream(house);
  end();
  expect((await answer).status).toBe(200);
  leave();
  await call.closed;
  return [inputAlone];
});

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
  'the process dies after some chunks and a renewal',
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
