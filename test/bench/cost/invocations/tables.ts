import { functionShapes } from '../../../../infra/functions.ts';
import { table } from '../../figures.ts';
import { prices } from '../prices.ts';
import {
  type Load,
  loads,
  type Mix,
  mixed,
  mostRunsPerSecond,
  ofOneMinute,
  oneEach,
  outcomeOf,
  peakFactor,
  runsOfUserAndDay,
  runsPerSecondOf,
  several,
  workerTimes,
} from './loads.ts';
import type { Outcome, Plan } from './simulate.ts';

const thousand = 1_000;
/** What an account may have of invocations at once, all functions together, unless AWS raises it. */
const defaultConcurrency = 1_000;
/** Fewer of them, since each has the same work. */
const simulatedInvocations = 20;

interface Cost {
  gigabyteSeconds: number;
  dollars: number;
}

/** Of 1,000 runs: the time of the worker, its invocations, and the receives that it makes itself. */
function costOf({ billedSeconds, invocations, receives, runs }: Outcome): Cost {
  const gigabyteSeconds = (billedSeconds * functionShapes.worker.memoryMegabytes) / 1_024;
  const dollars =
    gigabyteSeconds * prices.lambdaGigabyteSecond +
    (invocations * prices.lambdaRequestsPerMillion + receives * prices.queueRequestsPerMillion) / 1e6;
  return { gigabyteSeconds: (gigabyteSeconds / runs) * thousand, dollars: (dollars / runs) * thousand };
}

const named = ({ users, isPeak }: Load) =>
  `${users.toLocaleString('en')}, ${isPeak ? 'the busiest hour' : 'mean of a day'}`;
const dollars = (amount: number) => `$${amount.toFixed(3)}`;

/** Invocations, on average: each run's part of their time, times the runs a second. */
function atOnce({ billedSeconds, runs }: Outcome, load: Load): string {
  const mean = (billedSeconds / runs) * runsPerSecondOf(load);
  return mean < 10 ? mean.toFixed(1) : Math.round(mean).toLocaleString('en');
}

function loadRow(load: Load, mix: Mix): string[] {
  const [before, now] = [oneEach(load), several(load)].map((plan) => outcomeOf(plan, load, mix));
  const [costBefore, cost] = [costOf(before!), costOf(now!)];
  return [
    named(load),
    runsPerSecondOf(load).toPrecision(2),
    ...[before!, now!].map((each) => atOnce(each, load)),
    ...[costBefore, cost].map(({ gigabyteSeconds }) => gigabyteSeconds.toFixed(0)),
    ...[costBefore, cost].map((each) => dollars(each.dollars)),
    `${((100 * cost.dollars) / costBefore.dollars).toFixed(0)} %`,
  ];
}

const loadTable = (mix: Mix): string =>
  table(
    [
      'users',
      'runs a second',
      'invocations at once, one run each',
      'several',
      'GB-seconds, one run each',
      'several',
      '1,000 runs, one run each',
      'several',
      'part of it',
    ],
    loads.map((load) => loadRow(load, mix)),
  );

/** What parts of the way save. */
const ways: readonly [string, (load: Load) => Plan][] = [
  ['one run an invocation', oneEach],
  ["AWS's batches alone", (load) => several(load, { receives: false, handsOnLast: false })],
  ['and the last run is handed on', (load) => several(load, { receives: false, handsOnLast: true })],
  ['invocations receive by themselves', (load) => several(load, { receives: true, handsOnLast: false })],
  ['and the last run is handed on: as it is', several],
];

function wayTable(): string {
  const [, , mean, peak, many] = loads;
  const compared = [mean!, peak!, many!];
  const cells = (plan: (load: Load) => Plan) =>
    compared.map((load) => {
      const outcome = outcomeOf(plan(load), load, mixed);
      const waited = outcome.waitedSeconds / outcome.runs;
      return `${dollars(costOf(outcome).dollars)}, ${waited < 60 ? `${waited.toFixed(1)} s` : 'without end'}`;
    });
  return table(
    ['1,000 runs, and how long each waits', ...compared.map(named)],
    ways.map(([name, plan]) => [name, ...cells(plan)]),
  );
}

/** What an account's default concurrency would do if the worker had all of it. */
function rateTable(): string {
  const load = { users: 0, isPeak: true, runsAtOnce: simulatedInvocations };
  const plans = [oneEach(load), { ...several({ ...load, runsAtOnce: 10 * simulatedInvocations }) }];
  const rate = (plan: Plan, mix: Mix) =>
    ((mostRunsPerSecond(plan, mix) / plan.invocations) * defaultConcurrency).toFixed(0);
  return table(
    [
      `runs a second of ${defaultConcurrency.toLocaleString('en')} invocations at once`,
      'one run each',
      'several',
    ],
    [
      ['runs of 60 s', ...plans.map((plan) => rate(plan, ofOneMinute))],
      ['runs of 10 s to 15 min', ...plans.map((plan) => rate(plan, mixed))],
    ],
  );
}

/** The mean and the half of the mix, of ten thousand of its runs. */
function mixWords(): string {
  const count = 10_000;
  const seconds = Array.from({ length: count }, (_, i) => mixed((i + 0.5) / count)).toSorted((a, b) => a - b);
  const mean = seconds.reduce((sum, each) => sum + each, 0) / count;
  return `10 s to 15 min, half of them under ${seconds[count / 2]?.toFixed(0)} s, ${mean.toFixed(0)} s on average`;
}

/** What the tables assume, before them. */
export function invocationAssumptions(): string {
  const { takeSeconds } = workerTimes;
  const { places } = several({ users: 0, isPeak: false, runsAtOnce: 100 });
  const ofLoads = loads
    .filter(({ isPeak }) => isPeak)
    .map(({ runsAtOnce }) => runsAtOnce.toLocaleString('en'));
  const { memoryMegabytes } = functionShapes.worker;
  return [
    `Each user makes ${runsOfUserAndDay} runs a day, and in the busiest hour ${peakFactor} times as many as on average.`,
    `An invocation has up to ${places} runs in ${memoryMegabytes} MB, and takes more for ${takeSeconds / 60} minutes.`,
    `\`runsAtOnce\` is ${ofLoads.join(', ')}. The runs of the mix take ${mixWords()}.`,
  ].join(' ');
}

export const invocationTables = (): string =>
  [
    invocationAssumptions(),
    'The mix:',
    loadTable(mixed),
    'Runs of 60 s:',
    loadTable(ofOneMinute),
    'What each part of the way saves, with the mix:',
    wayTable(),
    'What a region allows:',
    rateTable(),
  ].join('\n\n');
