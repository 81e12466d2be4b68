import { afterAll, beforeAll, expect, test } from 'vitest';
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
    const sent = spanIds();
    expect(sent).toHaveLength(kind === 'commit' ? 0 : expected);
    const next = await startTestWorker(ground.settings, desk.queues);
    while ((await next.handled()) !== 'deleted');
    await next.stop();
    expect((await desk.read(agentId)).status).toBe('succeeded');
    expect(new Set(spanIds()).size).toBe(expected);
    expect(spanIds().slice(sent.length)).toHaveLength(expected);
    desk.close();
  }
});
