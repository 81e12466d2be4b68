import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { expectUndisturbed, startSubject, undisturbedRun } from './support/evidence.ts';
import { type Ground, startGround } from './support/ground.ts';
import { ended, spawnWorker, startTestWorker } from './support/workers.ts';

// Starting processes and waiting for leases to end takes a while on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

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
  /** Resolves when every run has asked its model since then. */
  allAsk(): Promise<void>;
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
    async allAsk() {
      const from = outside.asked.length;
      const asking = () => new Set(outside.asked.slice(from).map((asked) => asked.label));
      await eventually(() => labels.filter((name) => !asking().has(name)), 60_000).toEqual([]);
    },
  };
}

test.each([1, 2])(
  'of 21 runs one kills its worker each time, with %i worker processes: it ends failed, and all others succeed',
  async (workers) => {
    const { desk, poison, innocents, poisonAsks, allAsk, openInnocents } = await startNeighbours(
      `of${workers}`,
    );
    const spawnWorkers = () =>
      Promise.all(Array.from({ length: workers }, () => spawnWorker(ground.settings, desk.queues)));
    let deaths = 0;
    for (let isOver = false; !isOver; ) {
      const asked = deaths < 2 ? allAsk() : poisonAsks();
      const [children, over] = [await spawnWorkers(), desk.follow(poison)];
      isOver = await Promise.race([asked.then(() => false), over.then(() => true)]);
      if (isOver) {
        for (const id of innocents) expect((await desk.follow(id)).at(-1)).toMatchObject({ type: 'done' });
      } else if (++deaths === 2) openInnocents();
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(ended));
    }
    // Two among the others, then three alone.
    expect(deaths).toBe(5);
    expect(await desk.read(poison)).toMatchObject({ status: 'failed' });
    for (const id of innocents) expect(await desk.read(id)).toMatchObject({ status: 'succeeded' });
    desk.close();
  },
);

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
