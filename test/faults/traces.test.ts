import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { giveUp } from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setLimit } from '../support/set-limit.ts';
import { type Collector, startCollector } from '../traces/support/collector.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { everythingRun } from './support/everything-run.ts';
import { undisturbedRun } from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;
let collector: Collector;

beforeAll(async () => {
  collector = await startCollector();
  ground = await startGround();
  ground.settings.collectorUrl = collector.url;
});
afterAll(async () => {
  await ground.close();
  await collector.close();
});

// A busy machine is no collector that fails.
beforeEach(() => setLimit('spanSendMilliseconds', 600_000));

const spanIds = () => collector.spans().map(({ spanId }) => spanId);

async function startRun(desk: Desk, label: string): Promise<string> {
  return desk.start(everythingRun(ground.outside, label));
}

test('spans of a run are the same whichever worker sends them: none is lost where workers die, and none is another', async () => {
  const { points, events, charged } = await undisturbedRun(ground);
  const commits = points.filter(({ kind }) => kind === 'commit');
  const calls = events.filter(({ type }) => type === 'tool_call');
  const expected = 1 + calls.length + charged.ids.length;
  expect(new Set(spanIds()).size).toBe(expected);

  for (const [kind, ordinal] of [
    ['commit', Math.ceil(commits.length / 2)],
    ['commit', commits.length],
    ['delete message', 1],
  ] as const) {
    const desk = await openDesk(ground);
    collector.spans().length = 0;
    const agentId = await startRun(desk, `killed-at-${kind.replace(' ', '-')}-${ordinal}`);
    const moment = kind === 'commit' ? 'after' : 'before';
    expect(await ended(await spawnWorker(ground.settings, desk.queues, { kind, ordinal, moment }))).toBe(
      'SIGKILL',
    );
    // The process that is killed before it deletes the message has sent them already.
    if (kind === 'commit') expect(spanIds()).toEqual([]);
    const next = await startTestWorker(ground.settings, desk.queues);
    while ((await next.handled()) !== 'deleted');
    await next.stop();
    expect((await desk.read(agentId)).status).toBe('succeeded');
    expect(new Set(spanIds()).size).toBe(expected);
    if (kind === 'commit') expect(spanIds()).toHaveLength(expected);
    desk.close();
  }
});

/** Receives the queue's next message, deletes it, and returns its body. */
async function takeMessage({ parts, queues: { queueUrl } }: Desk): Promise<string | undefined> {
  const { sqs } = parts.aws;
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 20 }));
  const [message] = Messages ?? [];
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message?.ReceiptHandle }));
  return message?.Body;
}

test('spans of a run that ends while no worker has it are sent by the next worker', async () => {
  const desk = await openDesk(ground);
  collector.spans().length = 0;
  const givenUp = await startRun(desk, 'given-up');
  await takeMessage(desk);
  const message = JSON.stringify({ kind: 'run', agentId: givenUp });
  expect(await giveUp(runsDeps(desk.parts), message)).toBe('done');
  // The consumer of dead letters dies before it deletes the message, and gets it again.
  const again = await takeMessage(desk);
  expect(again).toBe(message);
  expect(await giveUp(runsDeps(desk.parts), message)).toBe('done');
  const cancelled = await startRun(desk, 'cancelled');
  expect((await desk.request(`/v1/agents/runs/${cancelled}/cancel`, { method: 'POST' })).ok).toBe(true);
  expect(collector.spans()).toEqual([]);
  const worker = await startTestWorker(ground.settings, desk.queues);
  await worker.handled();
  await worker.handled();
  await worker.stop();
  const ends = collector.spans().map(({ of }) => [of['errand.run.id'], of['error.type']]);
  expect(new Map(ends as [string, string][])).toEqual(
    new Map([
      [givenUp, '_OTHER'],
      [cancelled, 'cancelled'],
    ]),
  );
  desk.close();
});
