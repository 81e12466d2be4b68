import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Clock, deleteItem, putItem, type TableNames, toIso } from '@errand/platform';

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
  const { Item } = await deps.dynamodb.send(
    new GetCommand({ TableName: deps.tables.values, Key: keyOf(accountId, name), ConsistentRead: true }),
  );
  return Item && { name: Item.name, value: Item.value, updatedAt: Item.updatedAt };
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
): Promise<{ values: Pick<SavedValue, 'name' | 'updatedAt'>[]; last?: string }> {
  const { pk } = keyOf(accountId, '');
  const page = await deps.dynamodb.send(
    new QueryCommand({
      TableName: deps.tables.values,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':pk': pk },
      ProjectionExpression: '#name, updatedAt',
      ConsistentRead: true,
      Limit: options.limit,
      ...(options.after !== undefined && { ExclusiveStartKey: keyOf(accountId, options.after) }),
    }),
  );
  const values = (page.Items ?? []).map((item) => ({
    name: item.name as string,
    updatedAt: item.updatedAt as string,
  }));
  const last = page.LastEvaluatedKey && values.at(-1)?.name;
  return { values, ...(last !== undefined && { last }) };
}

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
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await listValues(deps, accountId, { limit: 1_000, ...(after !== undefined && { after }) });
      names.push(...page.values.map(({ name }) => name));
      after = page.last;
    } while (after !== undefined);
    return names;
  },
});
