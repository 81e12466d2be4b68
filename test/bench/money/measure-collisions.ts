import path from 'node:path';
import type { TestDynamo } from '../../support/dynamodb.ts';
import { milliseconds, percentiles, printTable } from '../figures.ts';
import { type Running, startNode } from '../processes.ts';
import { type Callers, startCallers } from './callers.ts';
import { both } from './charges.ts';
import { type Collisions, transactionMilliseconds, writeMilliseconds } from './collisions.ts';
import { createAccounts } from './create-accounts.ts';
import type { CallerResult } from './load.ts';

export const startCollidingStore = ({ endpoint }: TestDynamo): Promise<Running> =>
  startNode(path.join(import.meta.dirname, 'colliding-store.ts'), [endpoint]);

export const tell = async ({ ready }: Running, what: 'counts' | 'collide' | 'let-pass') =>
  (await (await fetch(`http://127.0.0.1:${ready}/${what}`)).json()) as Collisions;

interface Case {
  atOnce: number;
  environments: number;
  modelMilliseconds: [number, number];
}

/**
 * One account in a store in which writes collide: its requests in one environment, and each in an environment of its own. A
 * process stands for all: a hundred would wait for the two cores more than for the store.
 */
export async function measureCollisions(
  dynamo: TestDynamo,
  atOnce: number[],
  seconds: number,
): Promise<void> {
  const store = await startCollidingStore(dynamo);
  const callers = await startCallers(`http://127.0.0.1:${store.ready}`, 1);
  const cases = (
    [
      [500, 1_500],
      [0, 0],
    ] as [number, number][]
  ).flatMap((modelMilliseconds) =>
    atOnce.flatMap((total) =>
      [...new Set([1, total])].map(
        (environments): Case => ({ atOnce: total, environments, modelMilliseconds }),
      ),
    ),
  );
  const rows = [];
  try {
    for (const one of cases) rows.push(await measure(dynamo, { store, callers }, one, seconds));
  } finally {
    await callers.stop();
    store.stop();
  }
  console.log(
    `\nCollisions of one account; a transaction takes ${transactionMilliseconds} ms, another write ${writeMilliseconds} ms:\n`,
  );
  const heads = [
    'model takes',
    'at once',
    'environments',
    'calls a second',
    'writes refused',
    'transactions cancelled',
  ];
  const added = ['let in, added p50 / p99', 'settle p50 / p99', 'settle, added p50 / p99'];
  printTable(
    [...heads, 'requests sent again, a call', 'let in p50 / p99', ...added, 'failed', 'deferred'],
    rows,
  );
}

async function measure(
  dynamo: TestDynamo,
  { store, callers }: { store: Running; callers: Callers },
  { atOnce, environments, modelMilliseconds }: Case,
  seconds: number,
): Promise<(string | number)[]> {
  const run = async (): Promise<{ result: CallerResult; met: Collisions }> => {
    const result = await callers.run(1, {
      kind: 'calls',
      accountIds: await createAccounts(dynamo, 1),
      environments,
      atOnce: atOnce / environments,
      modelMilliseconds,
      rateLimitRequests: 1_000_000_000,
      warmUpMilliseconds: 4_000,
      milliseconds: seconds * 1000,
    });
    return { result, met: await tell(store, 'counts') };
  };
  await tell(store, 'let-pass');
  const { result: without } = await run();
  await tell(store, 'collide');
  const { result, met } = await run();
  const [least, most] = modelMilliseconds;
  return [
    most === 0 ? 'no time' : `${least / 1000} to ${most / 1000} s`,
    atOnce,
    environments,
    (result.settled / seconds).toFixed(0),
    share(met.refusedWrites, met.writes),
    share(met.cancelledTransactions, met.transactions),
    ((result.attempts - result.commands) / result.settled).toFixed(2),
    both(result.letIn),
    added(result.letIn, without.letIn),
    both(result.settle),
    added(result.settle, without.settle),
    result.failed,
    result.deferred,
  ];
}

const share = (part: number, all: number): string =>
  `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;

function added(times: readonly number[], without: readonly number[]): string {
  const [now, before] = [percentiles(times), percentiles(without)];
  return `${milliseconds(now.p50 - before.p50)} / ${milliseconds(now.p99 - before.p99)}`;
}
