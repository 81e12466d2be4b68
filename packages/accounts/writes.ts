import type { ItemKey, StoreDeps } from '@errand/money';
import type { Item, KeyLimits, NamedWrite } from '@errand/platform';
import { itemKeys } from './store.ts';

/** Writes an item under a key that must be free. */
export const newItemWrite = (deps: StoreDeps, condition: string, item: ItemKey & Item) =>
  ({
    condition,
    Put: { TableName: deps.tables.accounts, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  }) satisfies NamedWrite;

/** The account is as it was read: frozen at this time, or not frozen. Condition: `account-unchanged`. */
export const frozenCheck = (
  deps: StoreDeps,
  accountId: string,
  frozenAt: string | undefined,
): NamedWrite => ({
  condition: 'account-unchanged',
  ConditionCheck: {
    TableName: deps.tables.accounts,
    Key: itemKeys.account(accountId),
    ...(frozenAt === undefined
      ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(frozenAt)' }
      : {
          ConditionExpression: 'frozenAt = :frozenAt',
          ExpressionAttributeValues: { ':frozenAt': frozenAt },
        }),
  },
});

/** Freezes a copy of a key, or thaws it if `frozenAt` is undefined. */
export const freezeWrite = (deps: StoreDeps, key: ItemKey, frozenAt: string | undefined): NamedWrite => ({
  Update: {
    TableName: deps.tables.accounts,
    Key: key,
    ...(frozenAt === undefined
      ? { UpdateExpression: 'REMOVE frozenAt' }
      : {
          UpdateExpression: 'SET frozenAt = :frozenAt',
          ExpressionAttributeValues: { ':frozenAt': frozenAt },
        }),
  },
});

/**
 * Sets the limits of a copy of a key, or removes them if there are none any more. With `before` only if the copy still has
 * those. Condition: `limits-unchanged`.
 */
export function limitsWrite(
  deps: StoreDeps,
  key: ItemKey,
  after: KeyLimits | undefined,
  unchanged?: { before: KeyLimits | undefined },
): NamedWrite {
  const before = unchanged?.before;
  const values = { ...(after && { ':after': after }), ...(before && { ':before': before }) };
  const Update = {
    TableName: deps.tables.accounts,
    Key: key,
    UpdateExpression: after ? 'SET #limits = :after' : 'REMOVE #limits',
    ExpressionAttributeNames: { '#limits': 'limits' },
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
  if (!unchanged) return { Update };
  const ConditionExpression = before ? '#limits = :before' : 'attribute_not_exists(#limits)';
  return { condition: 'limits-unchanged', Update: { ...Update, ConditionExpression } };
}

/** Condition: `organisation-exists`. */
export const organisationCheck = (deps: StoreDeps, organisationId: string): NamedWrite => ({
  condition: 'organisation-exists',
  ConditionCheck: {
    TableName: deps.tables.accounts,
    Key: itemKeys.organisation(organisationId),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** Sets `revokedAt` on a copy of a key, unless it has one. */
export const revokeWrite = (deps: StoreDeps, key: ItemKey, revokedAt: string): NamedWrite => ({
  Update: {
    TableName: deps.tables.accounts,
    Key: key,
    UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
    ExpressionAttributeValues: { ':now': revokedAt },
  },
});
