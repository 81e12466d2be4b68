import { expect, test } from 'vitest';
import { bytesOf, writtenItems } from './keys.ts';

const purse = { pk: { S: 'ACCOUNT#1' }, sk: { S: 'BALANCE' } };
const entry = { pk: { S: 'LEDGER#1' }, sk: { S: 'chat_1' } };

test('writes are counted by item, transactions apart, and writes to other tables are left out', () => {
  const update = { TableName: 'Accounts', Key: purse };
  const TransactItems = [
    { Update: update },
    { Put: { TableName: 'Accounts', Item: { ...entry, amount: { N: '1' } } } },
    { Put: { TableName: 'Runs', Item: entry } },
  ];
  const requests = [
    { operation: 'GetItem', input: update },
    { operation: 'UpdateItem', input: update },
    { operation: 'TransactWriteItems', input: { TransactItems } },
  ];
  expect(writtenItems(requests, 'Accounts')).toEqual([
    { key: { pk: 'ACCOUNT#1', sk: 'BALANCE' }, alone: 1, inTransactions: 1 },
    { key: { pk: 'LEDGER#1', sk: 'chat_1' }, alone: 0, inTransactions: 1 },
  ]);
});

test('an item has the bytes of its names and values', () => {
  expect(bytesOf({ pk: 'ä', amount: 1_234, packed: new Uint8Array(40) })).toBe(2 + 2 + 6 + 3 + 6 + 40);
});
