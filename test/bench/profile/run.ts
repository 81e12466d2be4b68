import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/local-server.ts';
import type { Load, Target } from '../chat/target.ts';
import { startErrand } from '../chat/targets.ts';
import { here } from '../checkouts.ts';
import { percentiles, printTable } from '../figures.ts';
import { measureCpu, startNode } from '../processes.ts';
import { connectProfiler, type Profiler } from './profiler.ts';
import { sharesOfRooms } from './rooms.ts';
import { printStoreRequests } from './store.ts';
import { printWaits, type Tails, watchWaits } from './waits.ts';

const loads: Record<string, Load> = {
  'plain, 1 at once': { kind: 'plain', chunks: 1, atOnce: 1, total: 1_500 },
  'plain, 16 at once': { kind: 'plain', chunks: 1, atOnce: 16, total: 6_000 },
  'plain, 64 at once': { kind: 'plain', chunks: 1, atOnce: 64, total: 8_000 },
  'stream of 200, 16 at once': { kind: 'paced', chunks: 200, atOnce: 16, total: 800 },
};

/**
 * Prints where the CPU of a completion goes: milliseconds a request for each room of the service, and for its store. Then, without
 * sampling, what requests wait for at 16 at once; and what the store's process takes for each kind of request.
 */
export default async function run(): Promise<void> {
  const provider = await startNode(fileURLToPath(new URL('../chat/upstream.ts', import.meta.url)), []);
  const port = await freePort();
  const errand = await startErrand('errand', here, `http://127.0.0.1:${provider.ready}`, {
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
  });
  const profiler = await connectProfiler(port);
  try {
    const columns: Column[] = [];
    for (const load of Object.values(loads)) columns.push(await profile(errand, profiler, load));
    printRooms(columns);
    console.log();
    await printTails(errand, profiler);
    console.log();
  } finally {
    profiler.close();
    await errand.stop();
    provider.stop();
  }
  await printStoreRequests();
}

const tails = ['plain, 16 at once', 'stream of 200, 16 at once'];

async function printTails(errand: Target, profiler: Profiler): Promise<void> {
  const waits = await watchWaits(profiler, new URL(errand.storeUrl!).port);
  const seen: Tails = new Map();
  for (const name of tails) {
    await waits.forget();
    const { firstContent } = await errand.run(loads[name]!);
    seen.set(name, { ...(await waits.tell()), firstContent });
  }
  printWaits(seen);
}

async function profile(errand: Target, profiler: Profiler, load: Load): Promise<Column> {
  await errand.run({ ...load, total: load.total / 4 });
  const ownCpu = measureCpu(errand.pids);
  const storeCpu = measureCpu(errand.storePids);
  await profiler.start();
  const { durations, errors } = await errand.run(load);
  const shares = sharesOfRooms(await profiler.stop());
  if (errors > 0) throw new Error(`${errors} of ${load.total} requests failed.`);
  return {
    shares,
    own: ownCpu() / load.total,
    store: storeCpu() / load.total,
    p50: percentiles(durations).p50,
  };
}

/** Milliseconds of CPU a request, of the service and of its store, and the time that half the requests took at most. */
interface Column {
  shares: Map<string, number>;
  own: number;
  store: number;
  p50: number;
}

/** Rooms that take less of every load are one row. */
const smallest = 0.01;

function printRooms(columns: readonly Column[]): void {
  const most = (room: string) => Math.max(...columns.map(({ shares }) => shares.get(room) ?? 0));
  const rooms = [...new Set(columns.flatMap(({ shares }) => [...shares.keys()]))].toSorted(
    (a, b) => most(b) - most(a),
  );
  const shown = rooms.filter((room) => most(room) >= smallest);
  const small = rooms.filter((room) => most(room) < smallest);
  const sum = ({ shares }: Column, of: string[]) =>
    of.reduce((total, room) => total + (shares.get(room) ?? 0), 0);
  const row = (name: string, of: string[]) => [
    name,
    ...columns.map(
      (each) => `${(sum(each, of) * each.own).toFixed(3)} (${(sum(each, of) * 100).toFixed(0)} %)`,
    ),
  ];
  const line = (name: string, value: (each: Column) => number) => [
    name,
    ...columns.map((each) => value(each).toFixed(3)),
  ];
  printTable(
    ['milliseconds a request', ...Object.keys(loads)],
    [
      line('p50, while it is sampled', ({ p50 }) => p50),
      line("CPU of the store's process", ({ store }) => store),
      line("CPU of the service's process, of it:", ({ own }) => own),
      ...shown.map((room) => row(room, [room])),
      row('rooms below a hundredth', small),
    ],
  );
}
