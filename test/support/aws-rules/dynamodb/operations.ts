import type { Sent } from '../sent.ts';

export type Value = Record<string, unknown>;
export type Attributes = Record<string, Value>;

/** A read or write of one table. A batch or a transaction has several. */
export interface Operation {
  kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck' | 'Get' | 'Query' | 'Scan';
  table: string;
  Item?: Attributes;
  Key?: Attributes;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ProjectionExpression?: string;
  FilterExpression?: string;
  KeyConditionExpression?: string;
  IndexName?: string;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Attributes;
  Limit?: number;
  Select?: string;
  ReturnValues?: string;
  Segment?: number;
  TotalSegments?: number;
}

type Input = Record<string, unknown> & { TableName: string };

const single: Record<string, Operation['kind']> = {
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
  GetItem: 'Get',
  Query: 'Query',
  Scan: 'Scan',
};

const operation = (kind: Operation['kind'], { TableName, ...input }: Input): Operation => ({
  kind,
  table: TableName,
  ...input,
});

const known = new WeakMap<Sent, Operation[]>();

/** The operations of a command. They are found once, because every rule needs them. */
export function operationsOf(sent: Sent): Operation[] {
  let operations = known.get(sent);
  if (!operations) {
    operations = findOperations(sent);
    known.set(sent, operations);
  }
  return operations;
}

function findOperations({ command, input }: Sent): Operation[] {
  const kind = single[command];
  if (kind) return [operation(kind, input)];
  if (command.startsWith('Transact'))
    return (input.TransactItems ?? []).flatMap((item: Record<string, Input | undefined>) =>
      Object.entries(item).flatMap(([name, part]) =>
        part ? [operation(name as Operation['kind'], part)] : [],
      ),
    );
  if (command === 'BatchGetItem') return tablesOf<Input & { Keys: Attributes[] }>(input).flatMap(readsOf);
  if (command === 'BatchWriteItem') return tablesOf<BatchedWrite[]>(input).flatMap(writesOf);
  return [];
}

const tablesOf = <T>({ RequestItems = {} }: { RequestItems?: Record<string, T> }): [string, T][] =>
  Object.entries(RequestItems);

const readsOf = ([TableName, { Keys, ...rest }]: [string, Input & { Keys: Attributes[] }]): Operation[] =>
  Keys.map((Key) => operation('Get', { ...rest, TableName, Key }));

interface BatchedWrite {
  PutRequest?: { Item: Attributes };
  DeleteRequest?: { Key: Attributes };
}

const writesOf = ([TableName, writes]: [string, BatchedWrite[]]): Operation[] =>
  writes.map(({ PutRequest, DeleteRequest }) =>
    PutRequest
      ? operation('Put', { TableName, ...PutRequest })
      : operation('Delete', { TableName, ...DeleteRequest }),
  );
