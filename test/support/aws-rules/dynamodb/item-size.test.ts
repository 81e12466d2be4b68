import { expect, test } from 'vitest';
import { onItem, putOf, taken, testRows } from '../test-tables.ts';
import { attributesBytes, itemSizeProblems } from './item-size.ts';

const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });
/** What the key of the item takes, and the name of its attribute. */
const around = attributesBytes(putOf({}).Item) + 1;

testRows(itemSizeProblems, [
  ['400 KB', taken, 'PutItem', putOf({ a: text(409_600 - around) })],
  ['a byte more', 'item size: 409601 bytes', 'PutItem', putOf({ a: text(409_601 - around) })],
  [
    'a byte more in a batch',
    'item size: 409601 bytes',
    'BatchWriteItem',
    { RequestItems: { Values: [{ PutRequest: putOf({ a: text(409_601 - around) }) }] } },
  ],
  [
    'a value that no item can hold',
    'item size: :v',
    'UpdateItem',
    onItem({ ExpressionAttributeValues: { ':v': text(409_601) } }),
  ],
]);

test.each([
  ['a text by its bytes', 4, { S: 'é€'.slice(0, 1) + 'ab' }],
  ['a truth', 1, { BOOL: true }],
  ['a null', 1, { NULL: true }],
  ['a number of five digits', 4, { N: '12345' }],
  ['a number with zeros at its end', 2, { N: '1200000' }],
  ['a negative number', 3, { N: '-12' }],
  ['bytes', 3, { B: Buffer.from('abc') }],
  ['a list with one byte for each element', 3 + 2 + 2, { L: [{ S: 'a' }, { S: 'b' }] }],
  ['a map with one byte for each element and its names', 3 + 1 + 2 + 1, { M: { ab: { S: 'c' } } }],
  ['a set', 3, { SS: ['a', 'bc'] }],
])('the size of %s is counted as AWS counts it', (_, bytes, value) => {
  expect(attributesBytes({ '': value })).toBe(bytes);
});
