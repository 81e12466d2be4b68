import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { startTestWorker, worksOff } from '../faults/support/workers.ts';
import { eventually } from '../support/eventually.ts';
import { heldTime } from './support/held-time.ts';
import { openReader, openSilent, type Reader } from './support/reader.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

/** Two processes of the API on one store, and a run that has told its first event and waits for its model. */
async function startScene(label: string, text = 'It is noon.') {
  const time = heldTime();
  const desk = await openDesk(ground, time.clock);
  const colleague = await desk.colleague();
  const answer = Promise.withResolvers<{ text: string }>();
  ground.outside.script(label, async () => {
    await answer.promise;
    return { text };
  });
  const agentId = await desk.start({ question: `When? [${label} run]` });
  const worker = await startTestWorker({ ...ground.settings, leaseSeconds: 60 }, desk.queues);
  const readers: Reader[] = [];
  return {
    time,
    desk,
    colleague,
    agentId,
    readers,
    /** By default the next reader comes to the other process. */
    async open(process = readers.length % 2 ? colleague : desk) {
      time.advance(1);
      const reader = await openReader(process.request, agentId);
      readers.push(reader);
      await reader.until(1);
      return reader;
    },
    async finish() {
      answer.resolve({ text: '' });
      await worksOff(worker);
      await worker.stop();
    },
    close() {
      desk.close();
      colleague.close();
    },
  };
}

const streamsKey = (agentId: string) => ({ pk: `RUN#${agentId}`, sk: 'EVENT~STREAMS' });

async function countedStreams({ parts }: Desk, agentId: string): Promise<string[]> {
  const command = new GetCommand({
    TableName: parts.tables.runs,
    Key: streamsKey(agentId),
    ConsistentRead: true,
  });
  const item = (await parts.aws.dynamodb.send(command)).Item as { openStreams?: Set<string> } | undefined;
  return [...(item?.openStreams ?? [])].sort();
}

test('the ninth stream of a run cleanly ends the oldest stream alone, whether or not both are in one process', async () => {
  const scene = await startScene('ninth');
  const { desk, readers, agentId } = scene;
  for (let opened = 1; opened <= limits.streamsPerRun; opened++) await scene.open();
  expect(readers.map((reader) => reader.over())).toEqual(readers.map(() => false));
  // Of these two, one is in the process of the stream that ends it, and the other is not.
  for (const evicted of [0, 1]) {
    await scene.open(desk);
    const seen = await readers[evicted]!.ended;
    expect(seen.map(({ type }) => type)).toEqual(['step_start']);
  }
  expect(await countedStreams(desk, agentId)).toHaveLength(limits.streamsPerRun);
  await scene.finish();
  const ends = await Promise.all(readers.slice(2).map(async ({ ended }) => (await ended).at(-1)?.type));
  expect(ends).toEqual(readers.slice(2).map(() => 'done'));
  // Who was ended resumes by the id of the last event that came.
  const resumed = await openReader(desk.request, agentId, 1);
  const events = await resumed.ended;
  expect([events[0]?.id, events.at(-1)?.type]).toEqual([2, 'done']);
  scene.close();
});

test('when the clock has gone back, the stream that was opened first is the oldest all the same', async () => {
  const scene = await startScene('clock');
  const { desk, readers, time } = scene;
  for (let opened = 1; opened <= limits.streamsPerRun; opened++) await scene.open();
  time.clock.advance(-2 * 3_600_000);
  for (const evicted of [0, 1]) {
    await scene.open(desk);
    await readers[evicted]!.ended;
  }
  expect(readers.slice(2).map((reader) => reader.over())).toEqual(readers.slice(2).map(() => false));
  await scene.finish();
  const ends = await Promise.all(readers.slice(2).map(async ({ ended }) => (await ended).at(-1)?.type));
  expect(ends).toEqual(readers.slice(2).map(() => 'done'));
  scene.close();
});

test('a stream is silent for no longer than usual after the clock has gone back', async () => {
  const scene = await startScene('silence');
  const { body } = await scene.desk.request(`/v1/agents/runs/${scene.agentId}/stream`);
  let text = '';
  const reading = (async () => {
    for await (const part of body!.pipeThrough(new TextDecoderStream())) text += part;
  })();
  await eventually(() => text).toContain('step_start');
  scene.time.clock.advance(-2 * 3_600_000);
  await eventually(() => text).toContain(': keep-alive');
  await scene.finish();
  await reading;
  scene.close();
});

test('hundreds of streams of one run that are opened at the same time are reduced to eight', async () => {
  const scene = await startScene('hundreds');
  const { desk, colleague, agentId } = scene;
  const requests = Array.from({ length: 200 }, (_, i) => (i % 2 ? colleague : desk).request);
  const readers = await Promise.all(requests.map((request) => openReader(request, agentId)));
  await eventually(() => readers.filter((reader) => !reader.over()).length).toBe(limits.streamsPerRun);
  expect(await countedStreams(desk, agentId)).toHaveLength(limits.streamsPerRun);
  await scene.finish();
  const ends = await Promise.all(readers.map(async ({ ended }) => (await ended).at(-1)?.type));
  expect(ends.filter((type) => type === 'done').length).toBeGreaterThanOrEqual(limits.streamsPerRun);
  scene.close();
});

test('a reader that leaves frees its place', async () => {
  const scene = await startScene('leaves');
  const { desk, agentId } = scene;
  const stays = await scene.open();
  for (let left = 0; left < 2 * limits.streamsPerRun; left++) {
    const reader = await scene.open();
    await reader.leave();
    await eventually(async () => (await countedStreams(desk, agentId)).length).toBe(1);
  }
  expect(stays.over()).toBe(false);
  await scene.finish();
  expect((await stays.ended).at(-1)?.type).toBe('done');
  scene.close();
});

test('streams whose process died make room for others, and end none that is read', async () => {
  const scene = await startScene('died');
  const { desk, agentId, time, readers } = scene;
  const died = Array.from({ length: limits.streamsPerRun }, (_, i) => `2026-01-01T00:00:00.00${i}Z#dead`);
  await desk.parts.aws.dynamodb.send(
    new UpdateCommand({
      TableName: desk.parts.tables.runs,
      Key: streamsKey(agentId),
      UpdateExpression: 'ADD openStreams :died',
      ExpressionAttributeValues: { ':died': new Set(died) },
    }),
  );
  time.advance(1);
  for (let opened = 1; opened <= limits.streamsPerRun; opened++) await scene.open();
  expect((await countedStreams(desk, agentId)).filter((name) => died.includes(name))).toEqual([]);
  await scene.finish();
  const ends = await Promise.all(readers.map(async ({ ended }) => (await ended).at(-1)?.type));
  expect(ends).toEqual(readers.map(() => 'done'));
  scene.close();
});

test('a stream that cannot be counted is read all the same', async () => {
  const scene = await startScene('uncounted');
  const { dynamodb } = scene.desk.parts.aws;
  const send = dynamodb.send.bind(dynamodb) as (command: object) => Promise<unknown>;
  const sending = vi.spyOn(dynamodb, 'send') as unknown as {
    mockImplementation(send: (command: { input?: { Key?: { sk?: string } } }) => Promise<unknown>): void;
  };
  let refused = 0;
  sending.mockImplementation(async (command) => {
    if (command.input?.Key?.sk !== 'EVENT~STREAMS') return send(command);
    refused++;
    throw new Error('the table is busy');
  });
  const reader = await scene.open();
  await scene.finish();
  expect((await reader.ended).at(-1)?.type).toBe('done');
  expect(refused).toBe(1);
  vi.restoreAllMocks();
  scene.close();
});

test('readers who do not read count after a while, also of a finished run, and those over the limit are cut off', async () => {
  const scene = await startScene('silent', 'It is noon. '.repeat(100_000));
  const { desk, colleague, agentId, time } = scene;
  await scene.finish();
  const silent = [];
  for (let opened = 0; opened < limits.streamsPerRun + 4; opened++)
    silent.push(await openSilent((opened % 2 ? colleague : desk).request, agentId));
  expect(await countedStreams(desk, agentId)).toEqual([]);
  // One timer for each stream that is left, and one for the key in each process.
  await eventually(() => {
    time.advance(limits.streamCheckMilliseconds);
    return time.timers();
  }).toBe(limits.streamsPerRun + 2);
  expect(await countedStreams(desk, agentId)).toHaveLength(limits.streamsPerRun);
  const read = await Promise.allSettled(silent.map(({ readOn }) => readOn()));
  const ends = read.map((one) => (one.status === 'fulfilled' ? one.value.at(-1)?.type : 'cut off'));
  expect(ends.filter((end) => end === 'done')).toHaveLength(limits.streamsPerRun);
  expect(ends.filter((end) => end === 'cut off')).toHaveLength(4);
  await eventually(() => time.timers()).toBe(0);
  scene.close();
});

test('the stream of a finished run is replayed without being counted', async () => {
  const scene = await startScene('replayed');
  const { desk, agentId } = scene;
  await scene.finish();
  const sent: string[] = [];
  desk.parts.aws.dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      sent.push(String(context.commandName).replace(/Command$/, ''));
      return next(args);
    },
    { step: 'initialize', name: 'sent' },
  );
  const reader = await openReader(desk.request, agentId);
  expect((await reader.ended).at(-1)?.type).toBe('done');
  // The key is cached: the rate window, the run, and its events.
  expect(sent.map((name) => name.replace(/Item$/, '')).sort()).toEqual(['Get', 'Query', 'Update']);
  scene.close();
});

test('a stream whose counting takes long is counted once', async () => {
  const scene = await startScene('slowly', 'It is noon. '.repeat(100_000));
  const { desk, agentId, time } = scene;
  await scene.finish();
  const { dynamodb } = desk.parts.aws;
  const send = dynamodb.send.bind(dynamodb) as (command: object) => Promise<unknown>;
  const carriedOut = Promise.withResolvers<void>();
  let counted = 0;
  const sending = vi.spyOn(dynamodb, 'send') as unknown as {
    mockImplementation(send: (command: { input?: { Key?: { sk?: string } } }) => Promise<unknown>): void;
  };
  sending.mockImplementation(async (command) => {
    if (command instanceof UpdateCommand && command.input.Key?.sk === 'EVENT~STREAMS') {
      counted++;
      await carriedOut.promise;
    }
    return send(command);
  });
  const { readOn } = await openSilent(desk.request, agentId);
  for (let check = 0; check < 3; check++) time.advance(limits.streamCheckMilliseconds);
  carriedOut.resolve();
  await eventually(() => countedStreams(desk, agentId)).toHaveLength(1);
  expect(counted).toBe(1);
  vi.restoreAllMocks();
  await readOn();
  await eventually(() => countedStreams(desk, agentId)).toEqual([]);
  scene.close();
});
