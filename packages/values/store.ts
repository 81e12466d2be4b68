import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type Clock,
  ConditionsFailed,
  deleteItem,
  getItem,
  putItem,
  queryAll,
  queryPage,
  type TableNames,
  toIso,
} from '@errand/platform';

export interface ValuesDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
}

/** A value that a run saved for its account. */
interface SavedValue {
  name: string;
  value: string;
  updatedAt: string;
}

type ListedValue = Pick<SavedValue, 'name' | 'updatedAt'>;

const keyOf = (accountId: string, name: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `VALUE#${name}` });

/** A value as a run saves it. */
interface NewValue {
  name: string;
  value: string;
  /** The run that saves the value, which may replace its own values. */
  savedBy: string;
  /** Whether the run had read material from outside, which may then be in the value. */
  isOutside: boolean;
}

/** False if a value of this name is there, was saved by another run, and may not be replaced. */
async function putValue(
  deps: ValuesDeps,
  accountId: string,
  { name, ...value }: NewValue,
  { mayReplace }: { mayReplace: boolean },
): Promise<boolean> {
  const Item = { ...keyOf(accountId, name), name, ...value, updatedAt: toIso(deps.clock()) };
  const write = { TableName: deps.tables.values, Item };
  if (mayReplace) {
    await putItem(deps, write);
    return true;
  }
  try {
    await putItem(deps, {
      ...write,
      condition: 'value-new-or-own',
      ConditionExpression: 'attribute_not_exists(pk) OR savedBy = :run',
      ExpressionAttributeValues: { ':run': value.savedBy },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}

export async function getValue(
  deps: ValuesDeps,
  accountId: string,
  name: string,
): Promise<SavedValue | undefined> {
  const item = await readItem(deps, accountId, name);
  return item && { name: item.name, value: item.value, updatedAt: item.updatedAt };
}

/** The item of a value. An item that an earlier release wrote does not say whether its value is from outside. */
const readItem = (deps: ValuesDeps, accountId: string, name: string) =>
  getItem<SavedValue & { isOutside?: boolean }>(deps, deps.tables.values, keyOf(accountId, name));

/** False if there was no such value. */
export async function deleteValue(deps: ValuesDeps, accountId: string, name: string): Promise<boolean> {
  const deleted = await deleteItem(deps, {
    TableName: deps.tables.values,
    Key: keyOf(accountId, name),
    ReturnValues: 'ALL_OLD',
  });
  return deleted !== undefined;
}

/** A page of names in order, without the values. `last` is the name after which the next page begins. */
export async function listValues(
  deps: ValuesDeps,
  accountId: string,
  options: { limit: number; after?: string },
): Promise<{ values: ListedValue[]; last?: string }> {
  const { items, last } = await queryPage<ListedValue>(deps, {
    ...namesQuery(deps, accountId),
    Limit: options.limit,
    ...(options.after !== undefined && { ExclusiveStartKey: keyOf(accountId, options.after) }),
  });
  const values = items.map(({ name, updatedAt }) => ({ name, updatedAt }));
  const lastName = last && values.at(-1)?.name;
  return { values, last: lastName };
}

const namesQuery = ({ tables }: ValuesDeps, accountId: string) => ({
  TableName: tables.values,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeNames: { '#name': 'name' },
  ExpressionAttributeValues: { ':pk': keyOf(accountId, '').pk },
  ProjectionExpression: '#name, updatedAt, isOutside',
});

/**
 * The saved values of an account, as one of its runs uses them. `isOutside` tells what a run saved after it had read
 * material from outside.
 */
export const accountValues = (
  deps: ValuesDeps,
  { accountId, agentId }: { accountId: string; agentId: string },
) => ({
  /** False if a value of this name is there, was saved by another run, and may not be replaced. */
  save: (
    name: string,
    value: string,
    { mayReplace, isOutside }: { mayReplace: boolean; isOutside: boolean },
  ): Promise<boolean> =>
    putValue(deps, accountId, { name, value, savedBy: agentId, isOutside }, { mayReplace }),
  async read(name: string) {
    const item = await readItem(deps, accountId, name);
    return item && { value: item.value, isOutside: item.isOutside ?? false };
  },
  async names() {
    const values = await queryAll<ListedValue & { isOutside?: boolean }>(deps, namesQuery(deps, accountId));
    return {
      names: values.map(({ name }) => name),
      isOutside: values.some(({ isOutside }) => isOutside ?? false),
    };
  },
});
