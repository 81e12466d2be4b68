import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '@errand/platform';
import type { StoreDeps } from './deps.ts';

/** The keys of the items in the Accounts table. */
export const itemKeys = {
  account: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' }),
  /** An item of its own, so that charges do not collide with writes of the account or its rate window. */
  balance: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' }),
  accountKey: (accountId: string, keyId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `KEY#${keyId}` }),
  organisation: (organisationId: string) => ({ pk: `ORGANISATION#${organisationId}`, sk: 'ORGANISATION' }),
  key: (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  keyId: (keyId: string) => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' }),
  rateWindow: (accountId: string, startSeconds: number) => ({
    pk: `RATE#${accountId}`,
    sk: String(startSeconds),
  }),
  ledgerEntry: (ledger: string, id: string) => ({ pk: ledger, sk: id }),
};

export type ItemKey = { pk: string; sk: string };

/** Reads one item, strongly consistent. */
export async function readItem<T = Record<string, unknown>>(
  deps: StoreDeps,
  key: ItemKey,
): Promise<T | undefined> {
  const { Item: item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.accounts, Key: key, ConsistentRead: true }),
  );
  return item as T | undefined;
}

/** The account's balance in nano-euro. Throws `not_found` for an unknown account. */
export async function readBalance(deps: StoreDeps, accountId: string): Promise<number> {
  const item = await readItem<{ balanceNanoEuro: number }>(deps, itemKeys.balance(accountId));
  if (!item) throw new DomainError('not_found');
  return item.balanceNanoEuro;
}
