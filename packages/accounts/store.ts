import { itemKeys as moneyKeys, type StoreDeps } from '@errand/money';
import { ConditionsFailed, DomainError, queryAll, scanPages, updateItem } from '@errand/platform';

/** The keys of the items in the Accounts table. */
export const itemKeys = {
  ...moneyKeys,
  accountKey: (accountId: string, keyId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `KEY#${keyId}` }),
  key: (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  keyId: (keyId: string) => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' }),
};

/** The items of the account's keys, revoked ones too. */
export function queryKeys<T>(deps: StoreDeps, accountId: string): Promise<T[]> {
  const { pk, sk: prefix } = itemKeys.accountKey(accountId, '');
  return queryAll(deps, {
    TableName: deps.tables.accounts,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });
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
  /**
   * What the organisation's accounts together may spend in a calendar month (UTC). Absent if there is no ceiling.
   */
  ceilingNanoEuro?: number;
}

/** What changes of an organisation. A ceiling that is `null` is taken away. */
export interface OrganisationChanges {
  subscription?: boolean;
  ceilingNanoEuro?: number | null;
}

/** Returns the changed organisation. Throws `not_found` for an unknown one. */
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
