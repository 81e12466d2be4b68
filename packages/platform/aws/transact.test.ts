import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { ConditionsFailed, type NamedWrite, transact } from './transact.ts';

const mock = mockClient(DynamoDBDocumentClient);
beforeEach(() => mock.reset());

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const writes: NamedWrite[] = [
  { condition: 'run-owned', Put: { TableName: 'Runs', Item: { pk: 'a' } } },
  { Put: { TableName: 'Runs', Item: { pk: 'b' } } },
];

function heldDeps() {
  const waits: number[] = [];
  return {
    waits,
    dynamodb: DynamoDBDocumentClient.from(new DynamoDBClient({})),
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  };
}

const sent = () => mock.commandCalls(TransactWriteCommand);

test('the writes go out without the names of their conditions', async () => {
  mock.on(TransactWriteCommand).resolves({});
  await transact(heldDeps(), writes);
  expect(sent().map(({ args }) => args[0].input.TransactItems)).toEqual([
    [{ Put: { TableName: 'Runs', Item: { pk: 'a' } } }, { Put: { TableName: 'Runs', Item: { pk: 'b' } } }],
  ]);
});

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a cancellation by %s passes: the same writes are sent again after a wait',
  async (code) => {
    mock.on(TransactWriteCommand).rejectsOnce(cancelled('None', code)).resolves({});
    const deps = heldDeps();
    await transact(deps, writes);
    expect(sent()).toHaveLength(2);
    expect(sent()[1]?.args[0].input).toEqual(sent()[0]?.args[0].input);
    expect(deps.waits).toHaveLength(1);
  },
);

test('a conflict that does not end is thrown after bounded waits', async () => {
  mock.on(TransactWriteCommand).rejects(cancelled('TransactionConflict', 'None'));
  const deps = heldDeps();
  await expect(transact(deps, writes)).rejects.toBeInstanceOf(TransactionCanceledException);
  expect(sent()).toHaveLength(12);
  expect(deps.waits).toHaveLength(11);
  expect(Math.max(...deps.waits)).toBeLessThan(1_000);
});

test('conditions that fail are named, and nothing is sent again', async () => {
  mock.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', 'TransactionConflict'));
  const deps = heldDeps();
  const failure = await transact(deps, writes).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConditionsFailed);
  expect((failure as ConditionsFailed).conditions).toEqual(['run-owned']);
  expect((failure as ConditionsFailed).has('run-owned')).toBe(true);
  expect((failure as ConditionsFailed).has('other')).toBe(false);
  expect(sent()).toHaveLength(1);
  expect(deps.waits).toEqual([]);
});

test('a condition without a name is named by its place', async () => {
  mock.on(TransactWriteCommand).rejects(cancelled('None', 'ConditionalCheckFailed'));
  await expect(transact(heldDeps(), writes)).rejects.toMatchObject({ conditions: ['write 1'] });
});

test.each([cancelled('ValidationError', 'None'), new Error('no connection')])(
  'what cannot pass is thrown at once: %s',
  async (error) => {
    mock.on(TransactWriteCommand).rejects(error);
    await expect(transact(heldDeps(), writes)).rejects.toBe(error);
    expect(sent()).toHaveLength(1);
  },
);
