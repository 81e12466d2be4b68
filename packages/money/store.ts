import {
  getItem,
  type Item,
  type NamedWrite,
  queryAll,
  queryPage,
  queryPages,
  scanPages,
  tableDefinitions,
} from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import type { LastCredit } from './purse/purse.ts';

/** The keys of the items in the Accounts table that money reads or writes. */
export const itemKeys = {
  account: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' }),
  /**
   * The purse: the balance, the part of it that is available, and the rate windows. Writes of the account do not
   * collide with it.
   */
  balance: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' }),
  organisation: (organisationId: string) => ({ pk: `ORGANISATION#${organisationId}`, sk: 'ORGANISATION' }),
  /** The purse of an organisation's ceiling. */
  ceiling: (organisationId: string) => ({ pk: `ORGANISATION#${organisationId}`, sk: 'CEILING' }),
  /** What is known of a running call, under the id of its reservation. */
  draft: (accountId: string, reservationId: string) => ({
    pk: `ACCOUNT#${accountId}`,
    sk: `DRAFT#${reservationId}`,
  }),
  ledgerEntry: (ledger: string, id: string) => ({ pk: ledger, sk: id }),
};

export type ItemKey = { pk: string; sk: string };

/** Reads one item of the Accounts table, strongly consistent. */
export const readItem = <T = Item>(deps: StoreDeps, key: ItemKey): Promise<T | undefined> =>
  getItem(deps, deps.tables.accounts, key);

/** An entry's position in its ledger. The id is needed because entries may have the same time. */
export interface LedgerPosition {
  at: string;
  id: string;
}

/** One page of a ledger's items after a position, newest first, of the times from the first to the last. */
export async function queryLedger(
  deps: StoreDeps,
  ledger: string,
  { limit, after, span }: { limit: number; after?: LedgerPosition; span: { first: string; last: string } },
): Promise<{ items: Item[]; last?: LedgerPosition }> {
  const { items, last } = await queryPage(deps, {
    ...ledgerQuery(deps, ledger),
    KeyConditionExpression: 'ledger = :ledger AND #at BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':ledger': ledger, ':first': span.first, ':last': span.last },
    Limit: limit,
    ExclusiveStartKey: after && { ...itemKeys.ledgerEntry(ledger, after.id), ledger, at: after.at },
  });
  return { items, last: last && { at: String(last.at), id: String(last.sk) } };
}

/** Every item of a ledger, newest first. */
export const queryWholeLedger = (deps: StoreDeps, ledger: string): Promise<Item[]> =>
  queryAll(deps, ledgerQuery(deps, ledger));

const ledgerQuery = ({ tables }: StoreDeps, ledger: string) => ({
  TableName: tables.accounts,
  IndexName: tableDefinitions.accounts.indexes[0].name,
  KeyConditionExpression: 'ledger = :ledger',
  ExpressionAttributeValues: { ':ledger': ledger },
  ScanIndexForward: false,
});

/** The items of a ledger whose ids begin with `idPrefix`, strongly consistent. */
export const queryEntries = (deps: StoreDeps, ledger: string, idPrefix: string): Promise<Item[]> =>
  queryAll(deps, {
    TableName: deps.tables.accounts,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': ledger, ':prefix': idPrefix },
  });

/** Sums over the entries of a ledger whose ids begin with `idPrefix`. Tokens and seconds are those of charges. */
export interface LedgerSums {
  amountNanoEuro: number;
  inputTokens: number;
  outputTokens: number;
  seconds: number;
}

/** Reads the entries strongly consistent, a page at a time. */
export async function sumLedger(deps: StoreDeps, ledger: string, idPrefix = ''): Promise<LedgerSums> {
  const sums = { amountNanoEuro: 0, inputTokens: 0, outputTokens: 0, seconds: 0 };
  const pages = queryPages<Partial<LedgerSums>>(deps, {
    TableName: deps.tables.accounts,
    KeyConditionExpression: idPrefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ProjectionExpression: 'amountNanoEuro, inputTokens, outputTokens, seconds',
    ExpressionAttributeValues: { ':pk': ledger, ...(idPrefix !== '' && { ':prefix': idPrefix }) },
  });
  const names = Object.keys(sums) as (keyof LedgerSums)[];
  for await (const page of pages)
    for (const entry of page) for (const name of names) sums[name] += Number(entry[name] ?? 0);
  return sums;
}

/** The ids of all accounts that have an item of their own or a balance, a page at a time. */
export async function* allAccountIds(deps: StoreDeps): AsyncGenerator<string[]> {
  const { pk: prefix, sk: account } = itemKeys.account('');
  const pages = scanPages<ItemKey>(deps, {
    TableName: deps.tables.accounts,
    FilterExpression: 'sk IN (:account, :balance) AND begins_with(pk, :prefix)',
    ProjectionExpression: 'pk',
    ExpressionAttributeValues: {
      ':account': account,
      ':balance': itemKeys.balance('').sk,
      ':prefix': prefix,
    },
  });
  // Items of one account follow each other.
  let last: string | undefined;
  for await (const page of pages) {
    const ids = new Set(page.map(({ pk }) => pk.slice(prefix.length)));
    if (last !== undefined) ids.delete(last);
    last = page.at(-1)?.pk.slice(prefix.length) ?? last;
    yield [...ids];
  }
}

/**
 * Adds credits to the balance, or takes some away. Condition: `balance-within-bounds`. Only the bound in the amount's
 * direction is checked, so that a balance past a bound can always be brought back.
 */
export function boundedBalanceWrite(
  deps: StoreDeps,
  accountId: string,
  { id, amountNanoEuro }: { id: string; amountNanoEuro: number },
  mostNanoEuro: number,
): NamedWrite {
  const isAdded = amountNanoEuro > 0;
  return {
    condition: 'balance-within-bounds',
    Update: {
      TableName: deps.tables.accounts,
      Key: itemKeys.balance(accountId),
      UpdateExpression: `SET availableNanoEuro = if_not_exists(availableNanoEuro, balanceNanoEuro) + :amount${
        isAdded ? ', lastCredit = :credit' : ''
      } ADD balanceNanoEuro :amount`,
      ConditionExpression: amountNanoEuro < 0 ? 'balanceNanoEuro >= :bound' : 'balanceNanoEuro <= :bound',
      ExpressionAttributeValues: {
        ':amount': amountNanoEuro,
        ...(isAdded && { ':credit': { id, nanoEuro: amountNanoEuro } satisfies LastCredit }),
        ':bound': (amountNanoEuro < 0 ? -1 : 1) * mostNanoEuro - amountNanoEuro,
      },
    },
  };
}
