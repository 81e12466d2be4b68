import {
  ConditionsFailed,
  DomainError,
  getItem,
  type Item,
  queryAll,
  queryPage,
  queryPages,
  scanPages,
  tableDefinitions,
  updateItem,
} from '@errand/platform';
import type { StoreDeps } from './deps.ts';

/** The keys of the items in the Accounts table. */
export const itemKeys = {
  account: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' }),
  /** The purse: the balance, what of it is available, and the rate windows. Writes of the account do not collide with it. */
  balance: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' }),
  accountKey: (accountId: string, keyId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `KEY#${keyId}` }),
  organisation: (organisationId: string) => ({ pk: `ORGANISATION#${organisationId}`, sk: 'ORGANISATION' }),
  key: (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  keyId: (keyId: string) => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' }),
  /** The purse of an organisation's ceiling. */
  ceiling: (organisationId: string) => ({ pk: `ORGANISATION#${organisationId}`, sk: 'CEILING' }),
  /** What is known of a call in work, under the id of its reservation. */
  draft: (accountId: string, reservationId: string) => ({
    pk: `ACCOUNT#${accountId}`,
    sk: `DRAFT#${reservationId}`,
  }),
  ledgerEntry: (ledger: string, id: string) => ({ pk: ledger, sk: id }),
};

export type ItemKey = { pk: string; sk: string };

/** Reads one item, strongly consistent. */
export const readItem = <T = Item>(deps: StoreDeps, key: ItemKey): Promise<T | undefined> =>
  getItem(deps, deps.tables.accounts, key);

/** The items of the account's keys, revoked ones too. */
export function queryKeys<T>(deps: StoreDeps, accountId: string): Promise<T[]> {
  const { pk, sk: prefix } = itemKeys.accountKey(accountId, '');
  return queryAll(deps, {
    TableName: deps.tables.accounts,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });
}

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
    ...(after && { ExclusiveStartKey: { ...itemKeys.ledgerEntry(ledger, after.id), ledger, at: after.at } }),
  });
  return { items, ...(last && { last: { at: String(last.at), id: String(last.sk) } }) };
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

/** Marks the account as frozen, from its first freezing on, or as thawed. Throws `not_found` for an unknown account. */
export async function setFrozen(
  deps: StoreDeps,
  accountId: string,
  frozenAt: string | undefined,
): Promise<string | undefined> {
  try {
    const account = await updateItem(deps, {
      condition: 'account-exists',
      TableName: deps.tables.accounts,
      Key: itemKeys.account(accountId),
      ConditionExpression: 'attribute_exists(pk)',
      ReturnValues: 'ALL_NEW',
      ...(frozenAt === undefined
        ? { UpdateExpression: 'REMOVE frozenAt' }
        : {
            UpdateExpression: 'SET frozenAt = if_not_exists(frozenAt, :now)',
            ExpressionAttributeValues: { ':now': frozenAt },
          }),
    });
    return account?.frozenAt as string | undefined;
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new DomainError('not_found');
    throw error;
  }
}

/** What an organisation's item says. */
export interface Organisation {
  organisationId: string;
  name: string;
  subscription: boolean;
  createdAt: string;
  /** What its accounts together may spend in a calendar month (UTC). Absent if nothing bounds them. */
  ceilingNanoEuro?: number;
}

/** What changes of an organisation. A ceiling that is `null` is taken away. */
export interface OrganisationChanges {
  subscription?: boolean;
  ceilingNanoEuro?: number | null;
}

/** Returns the organisation as it is then. Throws `not_found` for an unknown one. */
export async function setOrganisation(
  deps: StoreDeps,
  organisationId: string,
  { subscription, ceilingNanoEuro }: OrganisationChanges,
): Promise<Organisation> {
  const values = {
    ...(subscription !== undefined && { ':subscription': subscription }),
    ...(typeof ceilingNanoEuro === 'number' && { ':ceilingNanoEuro': ceilingNanoEuro }),
  };
  const set = Object.keys(values).map((value) => `${value.slice(1)} = ${value}`);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
    ...(ceilingNanoEuro === null ? ['REMOVE ceilingNanoEuro'] : []),
  ];
  try {
    const updated = await updateItem(deps, {
      condition: 'organisation-exists',
      TableName: deps.tables.accounts,
      Key: itemKeys.organisation(organisationId),
      UpdateExpression: clauses.join(' '),
      ConditionExpression: 'attribute_exists(pk)',
      ...(set.length > 0 && { ExpressionAttributeValues: values }),
      ReturnValues: 'ALL_NEW',
    });
    return updated as unknown as Organisation;
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new DomainError('not_found');
    throw error;
  }
}

/** The items of all accounts, or of all organisations, a page at a time. It reads the whole table. */
export function scanOwners<T>(deps: StoreDeps, kind: 'account' | 'organisation'): AsyncGenerator<T[]> {
  const { pk: prefix, sk } = itemKeys[kind]('');
  return scanPages<T>(deps, {
    TableName: deps.tables.accounts,
    FilterExpression: 'sk = :sk AND begins_with(pk, :prefix)',
    ExpressionAttributeValues: { ':sk': sk, ':prefix': prefix },
  });
}
