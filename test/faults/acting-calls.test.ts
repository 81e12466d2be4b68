import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneTool, type StrangeServer, startStrangeServer } from '../remote-tools/support/strange-server.ts';
import type { Answer } from '../support/model-server.ts';
import type { RunEvent } from '../support/service.ts';
import {
  type Case,
  countDooms,
  failuresOf,
  isWrite,
  manyDoomsEach,
  oneDoomEach,
  type Reference,
  readLater,
  startSubject,
  tellingPoints,
  undisturbedRun,
} from './support/evidence.ts';
import { type Ground, type GroundSettings, startGround } from './support/ground.ts';
import type { Outside } from './support/outside.ts';
import type { Point } from './support/points.ts';
import { expectSoundBooks } from './support/sound-books.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;
let settings: GroundSettings;
let shop: StrangeServer;
let reference: Reference;

/** What the server does with the calls of a run, by the run's label. */
const onCall = new Map<string, (number: number) => 'answer' | 'never'>();
const calls: { label: string; name: string; key: string }[] = [];

beforeAll(async () => {
  shop = await startStrangeServer();
  shop.answers['tools/list'] = () => ({
    tools: [oneTool('buy'), oneTool('look', 'Looks.', { readOnlyHint: true })],
  });
  shop.answers['tools/call'] = ({ id, params }, response) => {
    const label = String(params?.arguments?.text);
    const key = String(params?._meta?.['errand/idempotency-key']);
    calls.push({ label, name: String(params?.name), key });
    const number = calls.filter((call) => call.label === label).length;
    const content = [{ type: 'text', text: `${params?.name} is done` }];
    const json = JSON.stringify({ jsonrpc: '2.0', id, result: { content } });
    if (onCall.get(label)?.(number) !== 'never')
      response.writeHead(200, { 'content-type': 'application/json' }).end(json);
    return undefined;
  };
  ground = await startGround();
  ground.settings.toolsHost = shop.host;
  settings = ground.settings;
  reference = await undisturbedRun(ground, shopping);
});
afterAll(async () => {
  await expectSoundBooks(ground);
  await ground.close();
  await shop.stop();
});

/** A run that buys and looks, several times at once. */
function shopping(outside: Outside, label: string): object {
  const turn = (...names: string[]): Answer => ({
    calls: names.map((name) => ({ name: `shop__${name}`, args: { text: label } })),
  });
  const answers = [turn('buy', 'look', 'buy', 'buy'), turn('look', 'buy'), { text: 'It is bought.' }];
  outside.script(label, (number) => answers[number - 1] ?? { calls: [{ name: 'confirm_answer', args: {} }] });
  return { question: `Buy it [${label} run]`, mcp: [{ label: 'shop', url: shop.url }] };
}

const bought = 4;
const looked = 2;

/** Expects that nothing was bought twice, and that the model knows of each call that may not have been made. Returns how many these are. */
function expectNoneTwice(label: string, events: readonly RunEvent[]): number {
  const made = calls.filter((call) => call.label === label);
  const keysOf = (name: string) => made.flatMap((call) => (call.name === name ? call.key : []));
  const buys = keysOf('buy');
  expect(buys).toEqual([...new Set(buys)]);
  const results = events.filter(({ type }) => type === 'tool_result').map(({ result }) => String(result));
  const lost = results.filter((result) => result.includes('may have been carried out')).length;
  expect(results).toHaveLength(bought + looked);
  expect(results.filter((result) => result === 'buy is done')).toHaveLength(bought - lost);
  expect(results.filter((result) => result === 'look is done')).toHaveLength(looked);
  expect(buys.length).toBeGreaterThanOrEqual(bought - lost);
  expect(new Set(keysOf('look')).size).toBe(looked);
  expect(events.at(-1)?.type).toBe('done');
  return lost;
}

async function finish(
  label: string,
  start: () => Promise<{ desk: Awaited<ReturnType<typeof startSubject>>['desk']; agentId: string }>,
) {
  const { desk, agentId } = await start();
  const second = await startTestWorker(settings, desk.queues);
  try {
    return expectNoneTwice(label, await desk.follow(agentId));
  } finally {
    await second.stop();
    desk.close();
  }
}

async function killWorkers({ label, dooms }: Case): Promise<void> {
  await finish(label, async () => {
    const subject = await startSubject(ground, label, shopping);
    for (const doom of dooms)
      expect(await ended(await spawnWorker(settings, subject.desk.queues, doom))).toBe('SIGKILL');
    if ((await subject.desk.read(subject.agentId)).status === 'queued') await readLater(subject);
    return subject;
  });
}

// A worker that dies before a commit leaves the store of the previous one, and calls that were made or were not. Deaths after each
// commit, and those below while a call is in work, cover both.
test('a call of a tool that acts is made at most once if its worker is killed at any write', async () => {
  const commits = reference.points.filter(({ kind }) => kind === 'commit');
  const cases = manyDoomsEach(reference, 'after', { firsts: [1, 2, 3], stride: 3 });
  expect(countDooms(cases)).toBe(commits.length);
  const others = tellingPoints(reference).filter((point) => isWrite(point) && point.kind !== 'commit');
  cases.push(...oneDoomEach(others, ['before', 'after']));
  expect(await failuresOf(cases, 3, killWorkers)).toEqual([]);
});

const arrivals = Array.from({ length: bought + looked }, (_, i) => ({
  label: `call-${i + 1}`,
  ordinal: i + 1,
}));
type Arrival = (typeof arrivals)[number];

test('a call of a tool that acts is made at most once if its worker is killed while it is in work, and a call that reads is made again', async () => {
  const killDuring = async (point: Arrival) => {
    const label = `killed-${point.ordinal}`;
    const lost = await finish(label, async () => {
      const subject = await startSubject(ground, label, shopping);
      const arrived = Promise.withResolvers<void>();
      onCall.set(label, (number) => {
        if (number === point.ordinal) arrived.resolve();
        return number === point.ordinal ? 'never' : 'answer';
      });
      const child = await spawnWorker(settings, subject.desk.queues);
      await arrived.promise;
      child.kill('SIGKILL');
      await ended(child);
      return subject;
    });
    const made = calls.filter((call) => call.label === label);
    const unanswered = made[point.ordinal - 1]!;
    const times = made.filter(({ key }) => key === unanswered.key).length;
    expect([times, lost > 0 || unanswered.name === 'look']).toEqual([
      unanswered.name === 'look' ? 2 : 1,
      true,
    ]);
  };
  expect(await failuresOf(arrivals, 3, killDuring)).toEqual([]);
});

test('a worker that is told to stop waits for the calls of tools that act, and begins no more of them', async () => {
  const stopDuring = async (point: Arrival) => {
    const label = `stopped-${point.ordinal}`;
    const lost = await finish(label, async () => {
      const subject = await startSubject(ground, label, shopping);
      const first = await startTestWorker(settings, subject.desk.queues);
      const stopped = Promise.withResolvers<void>();
      onCall.set(label, (number) => {
        if (number === point.ordinal) stopped.resolve(first.stop());
        return 'answer';
      });
      await await stopped.promise;
      return subject;
    });
    expect(lost).toBe(0);
  };
  expect(await failuresOf(arrivals, 3, stopDuring)).toEqual([]);
});

test('a worker that is stopped in the middle of a call of a tool that acts leaves it to nobody', async () => {
  const abandonDuring = async (point: Arrival) => {
    const label = `abandoned-${point.ordinal}`;
    await finish(label, async () => {
      const subject = await startSubject(ground, label, shopping);
      const first = await startTestWorker(settings, subject.desk.queues);
      const stopped = Promise.withResolvers<void>();
      onCall.set(label, (number) => {
        if (number === point.ordinal) stopped.resolve(first.stop({ abandon: true }));
        return number === point.ordinal ? 'never' : 'answer';
      });
      await await stopped.promise;
      return subject;
    });
  };
  expect(await failuresOf(arrivals, 3, abandonDuring)).toEqual([]);
});

test('a run that is cancelled as its completion is committed has announced and begun nothing, and the run that goes on from it makes the calls', async () => {
  const label = 'cancelled';
  const { desk, agentId } = await startSubject(ground, label, shopping);
  const before = async ({ kind, ordinal }: Point) => {
    if (kind === 'commit' && ordinal === 2)
      await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  };
  const first = await startTestWorker(settings, desk.queues, { hooks: { before }, leaseSeconds: 60 });
  const told = await desk.follow(agentId);
  await first.stop();
  expect(told.map(({ type }) => type)).toEqual(['step_start', 'error']);
  expect((await desk.charged(agentId)).ids).toEqual(['completion-1']);
  expect(calls.filter((call) => call.label === label)).toEqual([]);
  const body = { previousRunId: agentId, mcp: [{ label: 'shop', url: shop.url }] };
  const lost = await finish(label, async () => ({ desk, agentId: await desk.start(body) }));
  expect(lost).toBe(0);
});

test('a call has the same key in its header and in its message', () => {
  const made = shop.seen.filter(({ method }) => method === 'tools/call');
  expect(made.length).toBeGreaterThan(50);
  for (const { headers, message } of made)
    expect(headers['idempotency-key']).toBe(message.params?._meta?.['errand/idempotency-key']);
});
