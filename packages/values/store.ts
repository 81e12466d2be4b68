import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type Clock,
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
export interface SavedValue {
  name: string;
  value: string;
  updatedAt: string;
}

type ListedValue = Pick<SavedValue, 'name' | 'updatedAt'>;

const keyOf = (accountId: string, name: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `VALUE#${name}` });

export async function putValue(
  deps: ValuesDeps,
  accountId: string,
  name: string,
  value: string,
): Promise<void> {
  const Item = { ...keyOf(accountId, name), name, value, updatedAt: toIso(deps.clock()) };
  await putItem(deps, { TableName: deps.tables.values, Item });
}

export async function getValue(
  deps: ValuesDeps,
  accountId: string,
  name: string,
): Promise<SavedValue | undefined> {
  const item = await getItem<SavedValue>(deps, deps.tables.values, keyOf(accountId, name));
  return item && { name: item.name, value: item.value, updatedAt: item.updatedAt };
}

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
  return { values, ...(lastName !== undefined && { last: lastName }) };
}

const namesQuery = ({ tables }: ValuesDeps, accountId: string) => ({
  TableName: tables.values,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeNames: { '#name': 'name' },
  ExpressionAttributeValues: { ':pk': keyOf(accountId, '').pk },
  ProjectionExpression: '#name, updatedAt',
});

export interface AccountValues {
  save(name: string, value: string): Promise<void>;
  /** Undefined if nothing was saved under this name. */
  read(name: string): Promise<string | undefined>;
  names(): Promise<string[]>;
}

/** The saved values of one account, as its agent uses them. */
export const accountValues = (deps: ValuesDeps, accountId: string): AccountValues => ({
  save: (name, value) => putValue(deps, accountId, name, value),
  read: async (name) => (await getValue(deps, accountId, name))?.value,
  async names() {
    const values = await queryAll<ListedValue>(deps, namesQuery(deps, accountId));
    return values.map(({ name }) => name);
  },
});
