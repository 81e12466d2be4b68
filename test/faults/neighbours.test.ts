import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { expectUndisturbed, startSubject, undisturbedRun } from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { ended, spawnWorker } from './support/spawn-worker.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

const innocentCount = 20;

interface Neighbours {
  desk: Desk;
  poison: string;
  innocents: string[];
  /** Resolves when the poison run asks its model. */
  poisonAsks(): Promise<unknown>;
  /** Resolves when every run has asked its model so often. */
  allAsk(times: number): Promise<void>;
  openInnocents(): void;
}

/** Runs of which one never gets an answer: each time it asks, the test kills its worker. The others wait for a sign. */
async function startNeighbours(label: string): Promise<Neighbours> {
  const { outside } = ground;
  const desk = await openDesk(ground);
  const labels = [`${label}-poison`, ...Array.from({ length: innocentCount }, (_, i) => `${label}-${i}`)];
  const isPoison = (asked: { label: string }) => asked.label === labels[0];
  outside.hold(isPoison);
  const openInnocents = outside.hold((asked) => labels.includes(asked.label) && !isPoison(asked));
  const ids = await Promise.all(labels.map((name) => desk.start({ question: `Work [${name} run]` })));
  const [poison = '', ...innocents] = ids;
  return {
    desk,
    poison,
    innocents,
    openInnocents,
    poisonAsks: () => outside.nextAsked(isPoison),
    async allAsk(times) {
      const timesOf = (name: string) => outside.asked.filter((asked) => asked.label === name).length;
      await eventually(() => labels.filter((name) => timesOf(name) < times)).toEqual([]);
    },
  };
}

/** Kills all workers each time the poison run asks, until it is over. Returns how often, once all others are over. */
async function killUntilOver(
  { desk, poison, innocents, poisonAsks }: Neighbours,
  workers: number,
  whenAsked: (time: number) => Promise<void>,
): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    const asked = poisonAsks();
    const children = await Promise.all(
      Array.from({ length: workers }, () => spawnWorker(ground.settings, desk.queues)),
    );
    const isOver = await Promise.race([asked.then(() => false), desk.follow(poison).then(() => true)]);
    if (isOver) for (const id of innocents) await desk.follow(id);
    else await whenAsked(deaths + 1);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(ended));
    if (isOver) return deaths;
  }
}

async function expectJustice({ desk, poison, innocents }: Neighbours): Promise<void> {
  const message = 'The run was stopped because it could not be carried on after several attempts.';
  expect((await desk.follow(poison)).at(-1)).toMatchObject({ type: 'error', message });
  for (const id of innocents) expect(await desk.read(id)).toMatchObject({ status: 'succeeded' });
  desk.close();
}

test('a run that kills its worker each time ends failed, and the 20 others of the process succeed', async () => {
  const neighbours = await startNeighbours('one');
  const deaths = await killUntilOver(neighbours, 1, async (time) => {
    // Nobody has made progress before the first two deaths: all are suspects then.
    if (time <= 2) await neighbours.allAsk(time);
    if (time === 2) neighbours.openInnocents();
  });
  expect(deaths).toBe(5);
  await expectJustice(neighbours);
});

test('the 20 others succeed also where two processes share the runs and die together', async () => {
  const neighbours = await startNeighbours('two');
  neighbours.openInnocents();
  expect(await killUntilOver(neighbours, 2, async () => {})).toBeLessThanOrEqual(5);
  await expectJustice(neighbours);
});

test('a run whose worker dies five times, with progress in between, is not given up', async () => {
  const reference = await undisturbedRun(ground);
  const subject = await startSubject(ground, 'five-deaths');
  const doom = { kind: 'commit', ordinal: 1, moment: 'after' } as const;
  for (const _ of [1, 2, 3, 4, 5])
    expect(await ended(await spawnWorker(ground.settings, subject.desk.queues, doom))).toBe('SIGKILL');
  const last = await startTestWorker(ground.settings, subject.desk.queues);
  await expectUndisturbed(subject, reference);
  await last.stop();
});
