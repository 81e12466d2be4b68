import { expect, test } from 'vitest';
import { tableIn, tablesIn } from './find-table.ts';
import { writeCsv } from './write-csv.ts';

test('rows are lines with a column for each field, in which no text is a formula and numbers stand as they are', () => {
  const rows = [
    { name: 'Phobos', radius: -11.2, note: '=SUM(A1)' },
    { name: 'Deimos, "the small"\r\n', isMoon: true, radius: null },
    { name: '-5 %', note: { of: ['a'] } },
  ];
  expect(writeCsv(rows)).toBe(
    [
      'name,radius,note,isMoon',
      "Phobos,-11.2,'=SUM(A1),",
      '"Deimos, ""the small""\r\n",,,true',
      `'-5 %,,"{""of"":[""a""]}",`,
      '',
    ].join('\r\n'),
  );
});

test('fields that objects of JavaScript have of themselves are fields like any other', () => {
  expect(writeCsv(JSON.parse('[{"__proto__":"a","constructor":1},{"toString":"b"}]'))).toBe(
    '__proto__,constructor,toString\r\na,1,\r\n,,b\r\n',
  );
});

test('no rows are an empty line for the head', () => {
  expect(writeCsv([])).toBe('\r\n');
});

const rows = [{ a: 1 }];

test.each([
  ['the root', rows, ''],
  ['a member whose name has signs of pointers', { 'a/b~c': rows }, '/a~1b~0c'],
  ['a list in a list', { all: [[1], rows] }, '/all/1'],
  ['one that has rows, before one that has none', { none: [], some: { rows } }, '/some/rows'],
  ['one without rows, where there is no other', { none: [] }, '/none'],
])('the table of a value is a list of objects: %s', (_, value, pointer) => {
  expect(tableIn(value)?.pointer).toBe(pointer);
});

test.each([[{ a: 'x', b: ['y'] }], ['text'], [null]])('%j has no table', (value) => {
  expect(tablesIn(value)).toEqual([]);
});
