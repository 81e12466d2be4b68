import type { TestDynamo } from '../../support/dynamodb.ts';
import { milliseconds, percentiles, printTable } from '../figures.ts';
import { measureCpu } from '../processes.ts';
import { type Callers, startCallers } from './callers.ts';
import { createAccounts } from './create-accounts.ts';

const seconds = 3;
const warmUpSeconds = 2;
/** With some 8,500 calls in work, an account's purse outgrows what an item may have. */
const mostAtOnce = 2_000;

/** Let-ins with their settlements, as many as go, against the embedded store. The best of the rounds. */
export async function measureCharges(dynamo: TestDynamo, processes: number[], rounds: number): Promise<void> {
  const callers = await startCallers(dynamo.endpoint, Math.max(...processes));
  const rows: (string | number)[][] = [];
  try {
    await measure(dynamo, callers, { accounts: 100, count: Math.max(...processes), atOnce: 1 });
    for (const accounts of [1, 100])
      for (const count of processes)
        for (const atOnce of [1, 16, 100].filter((one) => one * count <= mostAtOnce))
          rows.push(await bestOf(rounds, () => measure(dynamo, callers, { accounts, count, atOnce })));
  } finally {
    await callers.stop();
  }
  console.log('\nLet in and settled, as fast as it goes:\n');
  const heads = ['accounts', 'processes', 'at once in each', 'let in and settled a second'];
  printTable(
    [...heads, 'let in p50 / p99', 'settle p50 / p99', 'cores: store', 'cores: processes', 'failed'],
    rows,
  );
}

const perSecondColumn = 3;

async function bestOf(rounds: number, work: () => Promise<(string | number)[]>) {
  let best: (string | number)[] | undefined;
  for (let round = 0; round < rounds; round++) {
    const row = await work();
    if (!best || Number(row[perSecondColumn]) > Number(best[perSecondColumn])) best = row;
  }
  return best as (string | number)[];
}

async function measure(
  dynamo: TestDynamo,
  callers: Callers,
  { accounts, count, atOnce }: { accounts: number; count: number; atOnce: number },
): Promise<(string | number)[]> {
  const accountIds = await createAccounts(dynamo, accounts);
  const storeCpu = measureCpu([dynamo.pid]);
  const cpu = measureCpu(callers.pids(count));
  const startedAt = performance.now();
  const result = await callers.run(count, {
    kind: 'calls',
    accountIds,
    environments: 1,
    atOnce,
    modelMilliseconds: [0, 0],
    rateLimitRequests: 1_000_000_000,
    warmUpMilliseconds: warmUpSeconds * 1000,
    milliseconds: seconds * 1000,
  });
  const took = performance.now() - startedAt;
  const cores = (taken: number) => (taken / took).toFixed(2);
  return [
    accounts,
    count,
    atOnce,
    (result.settled / seconds).toFixed(0),
    both(result.letIn),
    both(result.settle),
    cores(storeCpu()),
    cores(cpu()),
    result.failed + result.deferred,
  ];
}

export function both(times: readonly number[]): string {
  const { p50, p99 } = percentiles(times);
  return `${milliseconds(p50)} / ${milliseconds(p99)}`;
}
