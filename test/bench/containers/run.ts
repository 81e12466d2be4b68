import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { containerShapes, runsOfContainer, streamsWanted } from '../../../infra/container-shapes.ts';
import { publish } from '../page.ts';
import { startNode } from '../processes.ts';
import { startWorking } from './runs.ts';
import { startStreaming } from './streams.ts';
import { runsTable, streamsTable } from './tables.ts';

/** Streams at once, and how many there are in all. */
const unlimited = [
  [1, 2],
  [16, 32],
  [100, 200],
  [500, 1_000],
] as const;
const limited = [
  [streamsWanted, 3 * streamsWanted],
  [100, 300],
  [150, 450],
  [250, 500],
] as const;
const runs = [
  ['simple', 1],
  ['simple', 16],
  ['simple', 64],
  ['page', runsOfContainer],
] as const;

/**
 * Prints what a stream takes in the container of chat, and a run in that of workers. `--only streams`, `limited` or `runs` measures a
 * part. With `--write`, README.md gets the tables.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { only: { type: 'string' }, write: { type: 'boolean' } },
  });
  const page = values.write ? 'test/bench/containers/README.md' : undefined;
  const asked = (part: string) => values.only === undefined || values.only.split(',').includes(part);
  if (asked('streams') || asked('limited')) {
    const streaming = await startStreaming(Number.parseFloat(containerShapes.chat.memory));
    if (asked('streams')) {
      const rows = [];
      for (const [atOnce, all] of unlimited) rows.push(await streaming.measure(atOnce, all));
      await publish(page, 'streams', streamsTable(rows));
    }
    if (asked('limited')) {
      const cpus = Number.parseFloat(containerShapes.chat.cpu);
      const { pid } = streaming.container;
      const limiter = await startNode(fileURLToPath(new URL('limit-cpu.ts', import.meta.url)), [
        String(pid),
        String(cpus),
      ]);
      const rows = [];
      for (const [atOnce, all] of limited) rows.push(await streaming.measure(atOnce, all));
      limiter.stop();
      await publish(page, 'streams in a container', streamsTable(rows, cpus));
    }
    await streaming.stop();
  }
  if (!asked('runs')) return;
  const working = await startWorking(Number.parseFloat(containerShapes.workers.memory));
  const rows = [];
  for (const [what, atOnce] of runs) rows.push(await working.measure(what, atOnce));
  await working.stop();
  await publish(page, 'runs', runsTable(rows, Number.parseFloat(containerShapes.workers.cpu)));
}
