import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import type { SentRequest } from '../../support/lambda/units.ts';
import { table } from '../figures.ts';

/** AWS's limit of a partition key, of a table and of an index. No quota raises it. */
const writeUnitsPerSecond = 1_000;

type Key = Record<'pk' | 'sk', string>;

interface WrittenItem {
  key: Key;
  /** Writes by themselves, and writes in transactions. */
  alone: number;
  inTransactions: number;
}

type Attributes = Record<string, { S?: string }>;

const keyOf = ({ pk, sk }: Attributes): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });

/** The items of a table that requests write, each with how often. */
export function writtenItems(requests: readonly SentRequest[], tableName: string): WrittenItem[] {
  const items = new Map<string, WrittenItem>();
  const add = (write: unknown, inTransaction: boolean) => {
    const { TableName, Key, Item } = write as { TableName: string; Key?: Attributes; Item?: Attributes };
    if (TableName !== tableName) return;
    const key = keyOf(Key ?? Item ?? {});
    const id = JSON.stringify(key);
    const item = items.get(id) ?? { key, alone: 0, inTransactions: 0 };
    items.set(id, item);
    if (inTransaction) item.inTransactions++;
    else item.alone++;
  };
  for (const { operation, input } of requests) {
    if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation)) add(input, false);
    if (operation === 'TransactWriteItems')
      for (const each of input.TransactItems as object[])
        for (const write of Object.values(each)) add(write, true);
  }
  return [...items.values()];
}

/** The bytes of an item as AWS counts them: names, texts and binaries by their bytes, a number by half of its digits. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each) + 1, 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + bytesOf(each), 0);
}

/** What one call writes under each key of the accounts' table, and how many calls a second that allows. */
export async function keysTable(
  cloud: Cloud,
  target: CloudFunction,
  call: () => Promise<unknown>,
): Promise<string> {
  const TableName = 'Accounts';
  const before = target.sent().length;
  await call();
  const rows: (string | number)[][] = [];
  for (const { key, alone, inTransactions } of writtenItems(target.sent().slice(before), TableName)) {
    const { Item } = await cloud.clients.dynamodb.send(new GetCommand({ TableName, Key: key }));
    if (!Item) continue;
    const bytes = bytesOf(Item);
    const kilobytes = Math.max(1, Math.ceil(bytes / 1_024));
    const row = (what: string, units: number) => [
      what,
      alone,
      inTransactions,
      bytes,
      units,
      writeUnitsPerSecond / units,
    ];
    rows.push(row(nameOf(key), kilobytes * (alone + 2 * inTransactions)).map(round));
    if ('ledger' in Item)
      rows.push(row(`${nameOf(key)}, in the index by time`, kilobytes * (alone + inTransactions)).map(round));
  }
  return table(
    ['item', 'writes alone', 'in transactions', 'bytes', 'units of its key', 'calls a second by its units'],
    rows,
  );
}

const round = (cell: string | number) => (typeof cell === 'number' ? Math.floor(cell) : cell);

/** Ids are left out. */
const nameOf = ({ pk }: Key): string => `\`${pk.split('#')[0]}#…\``;

/**
 * AWS says of a single write "single-digit milliseconds", and nothing of a transaction, which prepares its items and then commits
 * them: assumed, a plain write takes half as long.
 */
const transactionMilliseconds = [4, 10, 20] as const;
/** Calls of one process that one transaction settles, and that one write lets in, at most. */
const together = { settled: 23, letIn: 100 };
/** A call alone takes three units of its purse's key. An entry takes two of its ledger's, however many are settled together. */
const byUnits = { alone: Math.floor(writeUnitsPerSecond / 3), together: writeUnitsPerSecond / 2 };

/** How many calls a second one account can make at most if the writes of its purse follow each other without a pause. */
export function serialTable(): string {
  const cell = (inTurn: number, units: number) =>
    units < inTurn ? `${units}, by its units` : inTurn.toFixed(0);
  return table(
    ['a transaction takes', 'calls a second, each in an environment of its own', 'all in one process'],
    transactionMilliseconds.map((milliseconds) => {
      const write = milliseconds / 2;
      return [
        `${milliseconds} ms`,
        cell(1_000 / (write + milliseconds), byUnits.alone),
        cell(1_000 / (write / together.letIn + milliseconds / together.settled), byUnits.together),
      ];
    }),
  );
}
