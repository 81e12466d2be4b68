import { fileURLToPath } from 'node:url';
import { residentMegabytes, startNode } from '../processes.ts';
import { printAims } from './aims.ts';
import { startLambdaTargets } from './lambda.ts';
import { measureInRounds, type Row } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import {
  lambdaSections,
  lambdaWarmUp,
  manyStreams,
  type Section,
  serverSections,
  serverWarmUp,
} from './sections.ts';
import { printComparison, printSections } from './tables.ts';
import type { Load, Target } from './target.ts';
import { nameOfCheckout, startServerTargets } from './targets.ts';

/**
 * `--only paced,lambda` runs some parts, `--targets errand,lean` measures some targets, `--rounds 9` replaces the five
 * rounds. `--against DIR,...` also measures the Errand of other checkouts and prints how each compares.
 */
export default async function run(args: string[] = []): Promise<void> {
  const options = readOptions(args);
  const provider = await startNode(fileURLToPath(new URL('upstream.ts', import.meta.url)), []);
  const upstream = `http://127.0.0.1:${provider.ready}`;
  const server = await measurePart(options, serverSections, serverWarmUp, (chosen) =>
    startServerTargets(upstream, chosen),
  );
  const lambda = await measurePart(options, lambdaSections, lambdaWarmUp, (chosen) =>
    startLambdaTargets(upstream, chosen),
  );
  provider.stop();
  if (server.length > 0) printAims(server);
  for (const folder of options.against)
    printComparison([...server, ...lambda], nameOfCheckout(folder), 'errand');
}

type StartTargets = (options: Pick<Options, 'targets' | 'against'>) => Promise<Target[]>;

/** Measures the sections that were asked for. All targets run at the same time, and one of them has load. */
async function measurePart(
  options: Options,
  all: readonly Section[],
  warmUp: readonly Load[],
  startTargets: StartTargets,
): Promise<Row[]> {
  const sections = all.filter(({ part }) => options.parts.has(part));
  const withMemory = all === serverSections && options.parts.has('memory');
  if (sections.length === 0 && !withMemory) return [];
  const targets = await startTargets(options);
  try {
    for (const target of targets) for (const load of warmUp) await target.run(load);
    const rows = await measureInRounds(targets, sections, options.rounds);
    printSections(sections, rows);
    if (withMemory) await printMemory(targets);
    return rows;
  } finally {
    for (const target of targets) await target.stop();
  }
}

/** Prints Errand's memory before `manyStreams`, and after each of five repetitions. */
async function printMemory(targets: readonly Target[]): Promise<void> {
  const errand = targets.find(({ name }) => name === 'errand');
  if (!errand) return;
  const megabytes = [residentMegabytes(errand.pids)];
  for (let part = 0; part < 5; part++) {
    const { errors } = await errand.run(manyStreams);
    if (errors > 0) console.log(`${errors} errors`);
    megabytes.push(residentMegabytes(errand.pids));
  }
  const shown = megabytes.map((value) => value.toFixed(0)).join(', ');
  console.log(`\nerrand's memory, before and after each ${manyStreams.total} more streams: ${shown} MB`);
}
