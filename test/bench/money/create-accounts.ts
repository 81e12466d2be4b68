import { createAccount } from '@errand/accounts';
import { createLog, systemClock } from '@errand/platform';
import type { TestDynamo } from '../../support/dynamodb.ts';

const creditsNanoEuro = 1_000_000_000_000_000;

/** New accounts with credits that no load spends. */
export async function createAccounts({ dynamodb, tables }: TestDynamo, count: number): Promise<string[]> {
  const log = createLog((line) => process.stderr.write(`${line}\n`));
  const deps = { dynamodb, tables, clock: systemClock, log, rateLimitRequests: 1_000_000_000 };
  const created = Array.from({ length: count }, () =>
    createAccount(deps, { name: 'bench', creditsNanoEuro }),
  );
  return (await Promise.all(created)).map(({ accountId }) => accountId);
}
