import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '@errand/platform';
import type { StoreDeps } from './deps.ts';

/** Where things lie in the Accounts table. */
export const itemKeys = {
  account: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' }),
  /** Apart from the account and its rate window, so that charging disturbs neither. */
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

/** A strongly consistent read: what was just written is seen. */
export async function readItem<T = Record<string, unknown>>(
  deps: StoreDeps,
  key: ItemKey,
): Promise<T | undefined> {
  const { Item: item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.accounts, Key: key, ConsistentRead: true }),
  );
  return item as T | undefined;
}

/** `not_found` if there is no such account. */
export async function readBalance(deps: StoreDeps, accountId: string): Promise<number> {
  const item = await readItem<{ balanceNanoEuro: number }>(deps, itemKeys.balance(accountId));
  if (!item) throw new DomainError('not_found');
  return item.balanceNanoEuro;
}
