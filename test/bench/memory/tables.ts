import { limits } from '@errand/platform';
import { functionShapes } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { prices } from '../cost/prices.ts';
import { table } from '../figures.ts';
import {
  costAt,
  leastMemory,
  neededMegabytes,
  type Peaks,
  secondsAt,
  shareOfCpu,
  sizes,
} from './estimate.ts';
import type { Init, Measured } from './measure.ts';
import type { Thread } from './work.ts';

export interface MeasuredFunction {
  name: FunctionName;
  /** The least of several starts. */
  init: Init;
  /** The least of what follows each start, when code is loaded and compiled. */
  firstCpuSeconds: number;
  peaks: Pick<Peaks, 'all' | 'mainThread'>;
  works: readonly Measured[];
}

/** How long a first answer may take whose function starts for it, without what AWS takes to make its environment. */
const coldBoundSeconds = (name: string): number =>
  ['worker', 'converter', 'run-streams', 'webhooks', 'mcp', 'dead-letters'].includes(name) ? 2 : 1;
/** What CPU may add to the time of an answer. */
const addedBoundSeconds = { patient: 2, interactive: 0.1 };

/** In its heap, outside of it, and in young objects. */
const megabytesOfThread: Partial<Record<Thread, number>> = {
  'convert-worker.mjs': 2 * limits.documentConversionMegabytes + limits.threadYoungMegabytes,
  'page-worker.mjs':
    limits.pageConversionMegabytes + limits.pageOutsideMegabytes + limits.threadYoungMegabytes,
  'count-worker.mjs': limits.countMegabytes + limits.threadYoungMegabytes,
  'problems-worker.mjs': 2 * limits.valueCheckMegabytes + limits.threadYoungMegabytes,
  'passages-worker.mjs':
    limits.passagesMegabytes + limits.passagesOutsideMegabytes + limits.threadYoungMegabytes,
};

const threadLimitOf = (name: FunctionName): number =>
  Math.max(0, ...functionShapes[name].assets.map((each) => megabytesOfThread[each] ?? 0));

/** Init, and the first thing that is asked after it. */
const coldCpu = ({ init, firstCpuSeconds }: MeasuredFunction): number => init.cpuSeconds + firstCpuSeconds;

const ofSizes = sizes.map((size) => `${size} MB`);
const thousand = (dollars: number) => `$${(dollars * 1_000).toFixed(4)}`;
const inMilliseconds = (seconds: number) => `${(seconds * 1_000).toFixed(0)} ms`;
const megabytes = (amount: number) => `${amount.toFixed(0)} MB`;

const costOf = (size: number, { work, cpuToAnswerSeconds }: Measured): number =>
  costAt(size, secondsAt(size, { waitSeconds: work.waitSeconds, cpuSeconds: cpuToAnswerSeconds }), prices);

const neededBy = ({ name, peaks }: MeasuredFunction): number =>
  neededMegabytes({ ...peaks, threadLimit: threadLimitOf(name) });

/** A row with a cell for each size. A size that the function cannot have is a dash. */
const rowOfSizes = (each: MeasuredFunction, first: string[], cell: (size: number) => string): string[] => [
  each.name,
  ...first,
  ...sizes.map((size) => (size < neededBy(each) ? '–' : cell(size))),
];

const rowsOfWork = (
  functions: readonly MeasuredFunction[],
  first: (measured: Measured) => string[],
  cell: (measured: Measured, size: number) => string,
): string[][] =>
  functions.flatMap((each) =>
    each.works.map((measured) => rowOfSizes(each, first(measured), (size) => cell(measured, size))),
  );

export const tablesOf = (functions: readonly MeasuredFunction[]): string =>
  [
    'Measured:',
    measuredTable(functions),
    'Init and first answer, estimated:',
    table(
      ['function', 'peak memory', 'needed', ...ofSizes],
      functions.map((each) =>
        rowOfSizes(each, [megabytes(each.peaks.all), megabytes(neededBy(each))], (size) => {
          return `${(coldCpu(each) / shareOfCpu(size)).toFixed(2)} s`;
        }),
      ),
    ),
    'What CPU adds to the p50, estimated:',
    table(
      ['function', 'what', ...ofSizes],
      rowsOfWork(
        functions,
        ({ work }) => [work.what],
        ({ cpuToAnswerSeconds }, size) => inMilliseconds(cpuToAnswerSeconds / shareOfCpu(size)),
      ),
    ),
    'Lambda for 1,000 of them, estimated:',
    table(
      ['function', 'what', 'waits', ...ofSizes],
      rowsOfWork(
        functions,
        ({ work }) => [work.what, `${work.waitSeconds} s`],
        (measured, size) => thousand(costOf(size, measured)),
      ),
    ),
    'The least memory that is possible and within the bounds:',
    table(
      ['function', 'now', 'least', 'why more', 'Lambda for 1,000 now', 'with the least'],
      functions.map(choiceOf),
    ),
  ].join('\n\n');

const measuredTable = (functions: readonly MeasuredFunction[]): string =>
  table(
    ['function', 'init, CPU / wall', 'CPU of the first answer', 'what', 'CPU p50', 'of it before the answer'],
    functions.flatMap((each) => each.works.map((measured) => measuredRow(each, measured))),
  );

const measuredRow = (
  each: MeasuredFunction,
  { work, cpuSeconds, cpuToAnswerSeconds }: Measured,
): string[] => [
  each.name,
  `${inMilliseconds(each.init.cpuSeconds)} / ${inMilliseconds(each.init.wallSeconds)}`,
  inMilliseconds(each.firstCpuSeconds),
  work.what,
  inMilliseconds(cpuSeconds),
  inMilliseconds(cpuToAnswerSeconds),
];

function choiceOf(each: MeasuredFunction): string[] {
  const { memoryMegabytes: now, moreBecause = '' } = functionShapes[each.name];
  const least = leastMemory({
    neededMegabytes: neededBy(each),
    coldCpuSeconds: coldCpu(each),
    coldBoundSeconds: coldBoundSeconds(each.name),
    added: each.works.map(({ work, cpuToAnswerSeconds }) => ({
      cpuSeconds: cpuToAnswerSeconds,
      boundSeconds: addedBoundSeconds[work.patient ? 'patient' : 'interactive'],
    })),
  });
  const costs = (size: number) => each.works.map((measured) => thousand(costOf(size, measured))).join(', ');
  return [
    each.name,
    megabytes(now),
    least === undefined ? 'none' : megabytes(least),
    moreBecause,
    costs(now),
    least === undefined ? '' : costs(least),
  ];
}
