import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ConditionsFailed } from './conditions.ts';
import { type NamedWrite, transact } from './transact.ts';

const mock = mockClient(DynamoDBDocumentClient);
afterAll(() => mock.restore());
beforeEach(() => mock.reset());

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const ConditionExpression = 'attribute_not_exists(pk)';
const writes: NamedWrite[] = [
  { condition: 'run-owned', Put: { TableName: 'Runs', Item: { pk: 'a' }, ConditionExpression } },
  { Put: { TableName: 'Runs', Item: { pk: 'b' } } },
];

const deps = { dynamodb: DynamoDBDocumentClient.from(new DynamoDBClient({})) };

const sent = () => mock.commandCalls(TransactWriteCommand);

test('the writes are sent without the names of their conditions, and ask for the items that fail them', async () => {
  mock.on(TransactWriteCommand).resolves({});
  await transact(deps, writes);
  expect(sent().map(({ args }) => args[0].input.TransactItems)).toEqual([
    [
      {
        Put: {
          TableName: 'Runs',
          Item: { pk: 'a' },
          ConditionExpression,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      { Put: { TableName: 'Runs', Item: { pk: 'b' } } },
    ],
  ]);
});

test('failed conditions are named, and nothing is retried', async () => {
  mock.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', 'TransactionConflict'));
  const failure = await transact(deps, writes).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConditionsFailed);
  expect((failure as ConditionsFailed).conditions).toEqual(['run-owned']);
  expect((failure as ConditionsFailed).has('run-owned')).toBe(true);
  expect((failure as ConditionsFailed).has('other')).toBe(false);
  expect(sent()).toHaveLength(1);
});

test.each([cancelled('ValidationError', 'None'), new Error('no connection')])(
  'an error that a repetition cannot help is thrown at once: %s',
  async (error) => {
    mock.on(TransactWriteCommand).rejects(error);
    await expect(transact(deps, writes)).rejects.toBe(error);
    expect(sent()).toHaveLength(1);
  },
);
