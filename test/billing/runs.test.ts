import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { freezeAccount, revokeKey } from '@errand/accounts';
import { limits } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { firstByteSeconds } from './support/catalogue.ts';
import type { House } from './support/house.ts';
import { creditsOf, type Entry, revoke, row, useStage } from './support/row.ts';
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
  outputTokens: 0,
  brokenOff: true,
  inputTokens: expect.any(Number),
};

/** Starts a run with a worker, and resolves when a provider has its first call. */
async function working(house: House, body: object = {}) {
  await house.startWorker();
  const agentId = await house.run(body);
  return { agentId, call: await house.provider.next() };
}

const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const written = (n: unknown) => JSON.stringify({ value: { n }, sources: [] });

const looksTwice = (host: string) => [
  { name: 'vision', args: { imageUrl: `http://${host}/dot.png`, question: 'Which colour?' } },
  { name: 'audio_transcribe', args: { url: `http://${host}/talk.wav` } },
];

/** A run whose vision tool and transcription are both in the provider's hands. */
async function looking(house: House) {
  const { agentId, call } = await working(house);
  call.callTools(looksTwice(house.provider.host));
  const open = [await house.provider.next(), await house.provider.next()];
  return { agentId, open };
}

const bothOpen: Partial<Entry>[] = [
  answered,
  { kind: 'transcription', seconds: 10, amount: '-0.001', brokenOff: true },
  { kind: 'vision', outputTokens: 0, brokenOff: true, inputTokens: expect.any(Number) },
];

row(
  'run',
  'a provider says nothing, and the next one answers',
  'each completion once, when it was answered',
  async (house) => {
    const end = holdTimeouts(firstByteSeconds * 1000);
    const { agentId, call } = await working(house, { model: 'hurried' });
    end();
    await call.closed;
    (await house.provider.next()).complete('Hello');
    const check = await house.provider.next();
    end();
    await check.closed;
    (await house.provider.next()).complete('CONFIRMED');
    await house.follow(agentId);
    return [answered, answered];
  },
);

row('run', 'cancelled while it is queued', 'nothing', async (house) => {
  const agentId = await house.run();
  expect(Number((await creditsOf(house, house.caller.key)).reserved)).toBeGreaterThan(0);
  await house.cancel(agentId);
  return [];
});

row(
  'run',
  "cancelled while a completion is in the provider's hands",
  "the completion's input",
  async (house) => {
    const { agentId, call } = await working(house);
    await house.cancel(agentId);
    await call.closed;
    expect(await house.follow(agentId)).toContainEqual(expect.objectContaining({ message: 'Cancelled' }));
    return [{ ...inputAlone, runId: agentId }];
  },
);

row('run', 'cancelled between rounds', 'the completions that were answered', async (first, { open }) => {
  // The worker hears of it when it commits what the first completion wrote.
  const house = await open({ caller: first.caller, env: { RUN_LEASE_SECONDS: '60' } });
  const other = await house.open();
  const { agentId, call } = await working(house);
  await other.cancel(agentId);
  await other.close();
  call.callTools([{ name: 'write_todos', args: { todos: [] } }]);
  await house.follow(agentId);
  expect(house.provider.asked).toHaveLength(1);
  return [answered];
});

row(
  'run',
  'cancelled while a vision tool and a transcription are open',
  "the image's input, and the seconds of the recording's header",
  async (house) => {
    const { agentId, open } = await looking(house);
    await house.cancel(agentId);
    await Promise.all(open.map(({ closed }) => closed));
    await house.follow(agentId);
    return bothOpen;
  },
);

row(
  'run',
  "its key is revoked while a completion is in the provider's hands",
  "the completion's input",
  async (house, { open }) => {
    const { agentId, call } = await working(house);
    await revoke(house);
    await call.closed;
    const other = await open({ caller: house.caller });
    await ended(other, agentId);
    return [inputAlone];
  },
);

row(
  'run',
  'its account is frozen while a vision tool and a transcription are open',
  "the image's input, and the seconds of the recording's header",
  async (house) => {
    const { open, agentId } = await looking(house);
    await freezeAccount(accountsDeps(house.parts), house.caller.accountId);
    house.timers.end(limits.keyCheckMilliseconds);
    await Promise.all(open.map(({ closed }) => closed));
    await ended(house, agentId);
    return bothOpen;
  },
);

row('run', 'its key was revoked while it was queued', 'nothing', async (house) => {
  const agentId = await house.run();
  await revokeKey(accountsDeps(house.parts), house.caller.keyId);
  await house.startWorker();
  await ended(house, agentId);
  expect(house.provider.asked).toEqual([]);
  return [];
});

row(
  'run',
  'its worker stops or hands it on, and another goes on',
  'each call once; the one that was open, when the other has made it',
  async (house) => {
    const worker = await house.startWorker();
    const agentId = await house.run();
    const left = await house.provider.next();
    const stopping = worker.stop();
    worker.force();
    await left.closed;
    await stopping;
    house.provider.script((call) => call.complete('Because.'));
    await house.startWorker();
    await house.follow(agentId);
    return [answered, answered];
  },
);

row(
  'run',
  'its worker is killed, and another takes it over',
  'each call once; the one that was open, when the other has made it',
  async (house, { open }) => {
    let ahead = 0;
    const other = await open({ caller: house.caller, queues: house.queues, clock: () => Date.now() + ahead });
    await house.startWorker();
    const agentId = await other.run();
    const left = await house.provider.next();
    house.die();
    ahead = (limits.reservationSeconds + limits.queuedResendSeconds) * 1000;
    other.provider.script((call) => call.complete('Because.'));
    await other.startWorker();
    await eventually(async () => (await other.read(agentId)).status).toBe('succeeded');
    left.complete('Too late.');
    expect((await creditsOf(other, house.caller.key)).reserved).toBe('0');
    return [answered, answered];
  },
);

row('run', 'its message cannot be sent (503)', 'nothing', async (house) => {
  house.parts.aws.sqs.middlewareStack.add(() => () => Promise.reject(new Error('no queue')), {
    step: 'initialize',
    name: 'fail',
  });
  expect((await house.post('/v1/agents/runs', { question: 'Why?' })).status).toBe(503);
  return [];
});

row('run', 'the provider refuses its first completion', 'nothing', async (house) => {
  const { agentId, call } = await working(house);
  call.json(400, { error: { message: 'no' } });
  expect((await house.follow(agentId)).at(-1)).toMatchObject({ type: 'error' });
  return [];
});

row('run', 'the provider fails for a while', 'each completion once, when it was answered', async (house) => {
  await house.startWorker();
  const agentId = await house.run();
  house.provider.script((call) => {
    if (house.provider.asked.length <= 4) call.json(503, {});
    else if (house.provider.asked.length === 5) call.reset();
    else call.complete('Because.');
  });
  await house.follow(agentId);
  return [answered, answered];
});

row(
  'run',
  'a tool takes longer than its time, and the run goes on',
  'nothing for the tool',
  async (house) => {
    const { agentId, call } = await working(house);
    const end = holdTimeouts(limits.toolMilliseconds);
    call.callTools(looksTwice(house.provider.host).slice(0, 1));
    const look = await house.provider.next();
    end();
    await look.closed;
    house.provider.script((next) => next.complete('Because.'));
    await house.follow(agentId);
    return [answered, answered, answered];
  },
);

row(
  'transcription',
  'the run is cancelled while it is open',
  "the seconds of the recording's header",
  async (house) => {
    const { agentId, call } = await working(house, { audioUrl: `http://${house.provider.host}/talk.wav` });
    expect(call.path).toBe('/v1/audio/transcriptions');
    await house.cancel(agentId);
    await call.closed;
    await house.follow(agentId);
    return [{ kind: 'transcription', seconds: 10, amount: '-0.001', brokenOff: true, runId: agentId }];
  },
);

row('transcription', 'the provider cannot read the recording', 'nothing', async (house) => {
  const { agentId, call } = await working(house, { audioUrl: `http://${house.provider.host}/talk.wav` });
  house.provider.script((next) =>
    next.path === call.path ? next.json(400, { error: { message: 'no' } }) : next.complete('Because.'),
  );
  call.json(400, { error: { message: 'no' } });
  await house.follow(agentId);
  return [answered, answered];
});

row('20 runs', 'all are cancelled while they work', 'the input of each', async (house) => {
  await house.startWorker();
  const runs = await Promise.all(Array.from({ length: 20 }, () => house.run()));
  const calls = await Promise.all(runs.map(() => house.provider.next()));
  await Promise.all(runs.map((agentId) => house.cancel(agentId)));
  await Promise.all(calls.map(({ closed }) => closed));
  await Promise.all(runs.map((agentId) => house.follow(agentId)));
  return runs.map(() => inputAlone);
});

/** Waits for the end of a run whose key does not work any more. */
async function ended(house: House, agentId: string): Promise<void> {
  const { dynamodb } = house.parts.aws;
  const read = new GetCommand({
    TableName: house.parts.tables.runs,
    Key: { pk: `RUN#${agentId}`, sk: 'RUN' },
    ConsistentRead: true,
  });
  await eventually(async () => (await dynamodb.send(read)).Item?.status).toBe('failed');
}

row(
  'run',
  'its provider refuses the schema as a form, and writes the value without',
  'each completion once, when it was answered',
  async (house) => {
    const { agentId, call } = await working(house, { outputSchema });
    call.complete('It is seven.');
    (await house.provider.next()).json(400, { error: { message: 'response_format is not supported' } });
    (await house.provider.next()).complete(written(7));
    (await house.provider.next()).complete('CONFIRMED');
    await house.follow(agentId);
    expect(await house.read(agentId)).toMatchObject({ status: 'succeeded', result: '{"n":7}' });
    return [answered, answered, answered];
  },
);

row(
  'run',
  'what its model writes does not fit its schema, three times',
  'the completions that were answered',
  async (house) => {
    const { agentId, call } = await working(house, { outputSchema });
    call.complete('It is seven.');
    for (let i = 0; i < 3; i++) (await house.provider.next()).complete(written('seven'));
    await house.follow(agentId);
    expect(await house.read(agentId)).toMatchObject({ status: 'failed', stopReason: 'schema' });
    return [answered, answered, answered, answered];
  },
);

row(
  'run',
  'its cap ends while a value that does not fit is written anew',
  'the completions that were answered',
  async (house) => {
    // The output of one value costs 0.016384, and the input of a completion less than 0.006.
    const { agentId, call } = await working(house, { outputSchema, maxCredits: '0.0245' });
    expect(call.body).toMatchObject({ tool_choice: 'none', max_tokens: 8_192 });
    const usage = { input: 1_000, output: 8_192 };
    call.complete(written('seven'), usage);
    const second = await house.provider.next();
    expect(second.body.max_tokens).toBeLessThan(8_192);
    second.complete(written('seven'), { input: 1_100, output: second.body.max_tokens ?? 0 });
    await house.follow(agentId);
    const run = await house.read(agentId);
    expect(run).toMatchObject({ status: 'failed', stopReason: 'credits' });
    expect(Number(run.usage.credits)).toBeLessThanOrEqual(0.0245);
    return [
      { kind: 'completion', inputTokens: 1_000, outputTokens: 8_192, amount: '-0.017384' },
      { kind: 'completion', inputTokens: 1_100, outputTokens: second.body.max_tokens },
    ];
  },
);
