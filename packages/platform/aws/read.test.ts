import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sendRefused } from '../../../test/support/aws-rules/hold-commands.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { getItem, queryAll, queryPage, scanInBackground, scanPages } from './read.ts';
import { putItem } from './write.ts';

let dynamo: TestDynamo;
let TableName: string;

const hundredKilobytes = 'x'.repeat(100_000);
const items = Array.from({ length: 25 }, (_, i) => ({ pk: 'P', sk: String(i).padStart(2, '0') }));

beforeAll(async () => {
  dynamo = await startTestDynamo();
  TableName = dynamo.tables.values;
  for (const key of items) await putItem(dynamo, { TableName, Item: { ...key, text: hundredKilobytes } });
});
afterAll(() => dynamo.close());

const ofPartition = (pk: string) => ({
  TableName,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
  ProjectionExpression: 'pk, sk',
});

test('an item is read by its key, and a missing one is undefined', async () => {
  expect(await getItem(dynamo, TableName, items[3]!)).toEqual({ ...items[3], text: hundredKilobytes });
  expect(await getItem(dynamo, TableName, { pk: 'P', sk: 'missing' })).toBeUndefined();
});

test('every item of a query is read, though DynamoDB ends a page after 1 MB', async () => {
  const before = dynamo.requests();
  expect(await queryAll(dynamo, ofPartition('P'))).toEqual(items);
  expect(dynamo.requests() - before).toBe(3);
  expect(await queryAll(dynamo, ofPartition('another'))).toEqual([]);
});

test('a page says where the next one starts, and the last page does not', async () => {
  const first = await queryPage(dynamo, { ...ofPartition('P'), Limit: 5 });
  expect(first).toEqual({ items: items.slice(0, 5), last: items[4] });
  const rest = { ...ofPartition('P'), Limit: 25, ExclusiveStartKey: items[19] };
  expect(await queryPage(dynamo, rest)).toEqual({ items: items.slice(20) });
});

/** What each query and scan asks for from now on, and how it ends. */
function watchReads(fail: (number: number) => boolean = () => false) {
  const asked: { Limit?: number; ExclusiveStartKey?: unknown }[] = [];
  dynamo.dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!/Query|Scan/.test(String(commandName))) return next(args);
        asked.push(args.input as (typeof asked)[number]);
        if (fail(asked.length)) throw new Error('the store is away');
        return next(args);
      },
    { step: 'initialize', name: 'watchReads' },
  );
  onTestFinished(() => void dynamo.dynamodb.middlewareStack.remove('watchReads'));
  return asked;
}

const keysOf = async (pages: AsyncIterable<{ sk?: unknown }[]>) => {
  const keys: unknown[] = [];
  for await (const page of pages) keys.push(...page.map(({ sk }) => sk));
  return keys.sort();
};

const allKeys = items.map(({ sk }) => sk);

test('every query and scan says how many items a page may have, so that a page costs the same however much is kept', async () => {
  const asked = watchReads();
  await queryAll(dynamo, ofPartition('P'));
  expect(await keysOf(scanPages(dynamo, { TableName }))).toEqual(allKeys);
  expect(asked.length).toBeGreaterThan(4);
  expect(asked.map(({ Limit }) => Limit)).toEqual(asked.map(() => 1_000));
});

/** Waits that end at once, and how long they were to be. */
function noWaits() {
  const waits: number[] = [];
  return { waits, wait: async (milliseconds: number) => void waits.push(milliseconds) };
}

const never = new AbortController().signal;

test('a scan in the background reads all in small pages, and rests between two of them', async () => {
  const asked = watchReads();
  const { waits, wait } = noWaits();
  const onError = () => expect.unreachable();
  const pages = scanInBackground(dynamo, { TableName }, { signal: never, onError, wait });
  expect(await keysOf(pages)).toEqual(allKeys);
  expect(Math.max(...asked.map(({ Limit }) => Limit!))).toBeLessThanOrEqual(200);
  expect(asked[0]).toMatchObject({ Limit: 4 });
  expect(waits).toHaveLength(asked.length - 1);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(5);
});

test('a scan in the background goes on where it was when the store did not answer', async () => {
  const asked = watchReads((number) => number === 2);
  const errors: unknown[] = [];
  const { wait } = noWaits();
  const pace = { signal: never, onError: (error: unknown) => void errors.push(error), wait };
  expect(await keysOf(scanInBackground(dynamo, { TableName }, pace))).toEqual(allKeys);
  expect(errors).toEqual([new Error('the store is away')]);
  expect(asked[2]).toEqual(asked[1]);
  expect(asked[2]).toHaveProperty('ExclusiveStartKey.sk');
});

test('a scan in the background ends with its signal, in the middle of a rest', async () => {
  const controller = new AbortController();
  const pages = scanInBackground(dynamo, { TableName }, { signal: controller.signal, onError: () => {} });
  await pages.next();
  const rest = pages.next();
  controller.abort(new Error('over'));
  await expect(rest).rejects.toThrow('over');
});

test('a query that the store refuses is told as such', async () => {
  const missing = { ...ofPartition('P'), TableName: 'Nothing' };
  await expect(sendRefused(() => queryPage(dynamo, missing))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});
