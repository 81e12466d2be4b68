import type { TestDynamo } from '../../support/dynamodb.ts';
import { printTable } from '../figures.ts';
import { startCallers } from './callers.ts';
import { both } from './charges.ts';
import { createAccounts } from './create-accounts.ts';
import { startCollidingStore, tell } from './measure-collisions.ts';

const workers = 16;
const flooders = 10;
const requestsPerSecond = 1_000;

/**
 * The settlements of an account's work while it sends far more requests than its rate allows, in a store in which writes
 * collide. For comparison, as many requests that its rate allows.
 */
export async function measureFlood(dynamo: TestDynamo, seconds: number): Promise<void> {
  const store = await startCollidingStore(dynamo);
  const endpoint = `http://127.0.0.1:${store.ready}`;
  const working = await startCallers(endpoint, workers);
  const flooding = await startCallers(endpoint, flooders);
  const rows = [];
  for (const [what, rateLimitRequests] of [
    ['none', undefined],
    ['refused: over the rate', 10],
    ['within the rate, costing nothing', 1_000_000_000],
  ] as const) {
    const shared = {
      accountIds: await createAccounts(dynamo, 1),
      environments: 1,
      modelMilliseconds: [200, 600] as [number, number],
      milliseconds: seconds * 1000,
    };
    await tell(store, 'counts');
    const [work, flood] = await Promise.all([
      working.run(workers, {
        ...shared,
        kind: 'work',
        atOnce: 1,
        rateLimitRequests: 1_000_000_000,
        warmUpMilliseconds: 2_000,
      }),
      rateLimitRequests === undefined
        ? undefined
        : flooding.run(flooders, {
            ...shared,
            kind: 'requests',
            atOnce: requestsPerSecond / flooders,
            rateLimitRequests,
            warmUpMilliseconds: 2_000,
          }),
    ]);
    const met = await tell(store, 'counts');
    rows.push([
      what,
      flood ? (flood.letIn.length / seconds).toFixed(0) : 0,
      flood?.refused ?? 0,
      flood?.attempts ?? 0,
      both(work.settle),
      met.cancelledTransactions,
      work.settled,
      work.deferred + work.failed,
    ]);
  }
  await working.stop();
  await flooding.stop();
  store.stop();
  console.log(`\nSettlements of ${workers} processes beside a flood by ${flooders} others:\n`);
  const heads = ['the flood', 'requests a second', 'refused', 'its requests to the store'];
  printTable([...heads, 'settle p50 / p99', 'collisions of settlements', 'settled', 'failed'], rows);
}
