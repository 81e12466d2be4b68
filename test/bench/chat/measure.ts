import { median, percentiles } from '../figures.ts';
import { measureCpu, residentMegabytes } from '../processes.ts';
import type { Section } from './sections.ts';
import type { Load, Target } from './target.ts';

type Loads = Pick<Section, 'loads'>;

/** The figures of one round: median times and CPU of a request in milliseconds. */
export interface Figures {
  firstContent: number;
  lag: number;
  duration: number;
  perSecond: number;
  cpu: number;
  storeCpu: number;
  /** Of its processes and its store's. */
  allCpu: number;
  megabytes: number;
  errors: number;
}

export interface Row<S extends Loads = Section> {
  section: S;
  load: Load;
  target: string;
  rounds: Figures[];
  /** Milliseconds, over all rounds: a single round has too few requests for a p99. */
  firstContent: number[];
  lags: number[];
}

/**
 * Runs every load on every target, one after the other, and repeats that in rounds, so that other work on the machine
 * slows all targets alike. The order changes with each round, so that no target always follows the same one.
 */
export async function measureInRounds<S extends Loads>(
  targets: readonly Target[],
  sections: readonly S[],
  rounds: number,
): Promise<Row<S>[]> {
  const cases = sections.flatMap((section) => section.loads.map((load) => ({ section, load })));
  const all = cases.map((one) =>
    targets
      .filter(({ takes }) => takes?.(one.load) ?? true)
      .map((target) => ({
        target,
        row: { ...one, target: target.name, rounds: [], firstContent: [], lags: [] } as Row<S>,
      })),
  );
  for (let round = 0; round < rounds; round++) {
    console.error(`round ${round + 1} of ${rounds}`);
    for (const one of all) for (const { target, row } of inOrderOf(round, one)) await measure(target, row);
  }
  return all.flat().map(({ row }) => row);
}

/** Rotates the items by one place a round and reverses them in every second round. Neighbours stay neighbours. */
function inOrderOf<T>(round: number, items: readonly T[]): T[] {
  const first = round % items.length;
  const rotated = [...items.slice(first), ...items.slice(0, first)];
  return round % 2 === 0 ? rotated : rotated.toReversed();
}

async function measure(target: Target, row: Row<Loads>): Promise<void> {
  const { load } = row;
  const cpu = measureCpu(target.pids);
  const storeCpu = measureCpu(target.storePids);
  const { firstContent, lags, durations, seconds, errors } = await target.run(load);
  const [ownCpu, ofStore] = [cpu() / load.total, storeCpu() / load.total];
  row.rounds.push({
    firstContent: percentiles(firstContent).p50,
    lag: percentiles(lags).p50,
    duration: percentiles(durations).p50,
    perSecond: load.total / seconds,
    cpu: ownCpu,
    storeCpu: ofStore,
    allCpu: ownCpu + ofStore,
    megabytes: residentMegabytes(target.pids),
    errors,
  });
  row.firstContent.push(...firstContent);
  for (const lag of lags) row.lags.push(lag);
}

export const medianOf = ({ rounds }: Row<Loads>, figure: keyof Figures): number =>
  median(rounds.map((figures) => figures[figure]));

/** What is disturbed least by other work on the machine, for figures of CPU. */
export const leastOf = ({ rounds }: Row<Loads>, figure: keyof Figures): number =>
  Math.min(...rounds.map((figures) => figures[figure]));

export const errorsOf = ({ rounds }: Row<Loads>): number =>
  rounds.reduce((sum, { errors }) => sum + errors, 0);
