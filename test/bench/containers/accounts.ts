import { createAccount, createKey } from '@errand/accounts';
import { localTableNames, systemClock } from '@errand/platform';
import type { Cloud } from '../../support/lambda/cloud.ts';

/** Keys of so many accounts, each with credits for all that is measured. */
export async function createKeys(cloud: Cloud, accounts: number): Promise<string[]> {
  const store = { dynamodb: cloud.clients.dynamodb, tables: localTableNames, clock: systemClock };
  const keys: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const { accountId } = await createAccount(store, { name: 'bench', creditsNanoEuro: 1e15 });
    keys.push((await createKey(store, { accountId, label: 'bench' })).key);
  }
  return keys;
}
