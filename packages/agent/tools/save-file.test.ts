import { expect, test } from 'vitest';
import { prepareCall } from '../call.ts';
import type { ToolInput } from '../tool.ts';
import { safeFilename, saveFile } from './save-file.ts';

test.each([
  ['report.md', 'report.md'],
  ['../../etc/report_1.v2.csv', 'report_1.v2.csv'],
  ['C:\\files\\data.json', 'data.json'],
])('%s is kept as %s', (given, expected) => {
  expect(safeFilename(given)).toBe(expected);
});

test('names that have to be changed stay different from each other and from the names of kept files', () => {
  const names = [
    '报告.md',
    '总结.md',
    'Ärger.md',
    'Arger.md',
    'a b.md',
    'a-b.md',
    'A.MD',
    'A.md',
    '.md',
    'file.md',
  ];
  const safe = names.map(safeFilename);
  expect(new Set(safe).size).toBe(names.length);
  for (const name of safe) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*\.md$/);
});

test.each(['report', 'report.exe', 'md', ''])('%j has no ending that may be saved', (given) => {
  expect(() => safeFilename(given)).toThrow('Files may end in');
});

/** What is stored for a call. */
async function saved(args: object | string) {
  let stored = '';
  const fileExport = {
    async save(_: string, content: string) {
      stored = content;
      return { url: 'https://files.example.com/x', expiresAt: '2026-01-01T00:00:00.000Z' };
    },
  };
  const call = { name: 'save_file', arguments: typeof args === 'string' ? args : JSON.stringify(args) };
  const made = { id: 'a', type: 'function' as const, function: call };
  const prepared = prepareCall([saveFile({ fileExport })], made);
  if ('problem' in prepared) throw new Error(prepared.problem);
  await prepared.tool.run(prepared.args, { savedFiles: new Map() } as unknown as ToolInput);
  return stored;
}

const rows = [
  { name: 'Phobos', radius: -11.2, note: '=SUM(A1)' },
  { name: 'Deimos, "the small"', isMoon: true, radius: null },
  { name: '-5 %', note: { of: ['a', 1] } },
];

test('rows are saved as CSV with a column for each field, in which no text is a formula and numbers stand as they are', async () => {
  expect(await saved({ filename: 'moons.csv', rows })).toBe(
    [
      'name,radius,note,isMoon',
      "Phobos,-11.2,'=SUM(A1),",
      '"Deimos, ""the small""",,,true',
      `'-5 %,,"{""of"":[""a"",1]}",`,
      '',
    ].join('\r\n'),
  );
});

test('rows are saved as JSON as they are', async () => {
  expect(JSON.parse(await saved({ filename: 'moons.JSON', rows }))).toEqual(rows);
});

test('fields that objects of JavaScript have of themselves are fields like any other', async () => {
  const odd = '{"filename":"odd.csv","rows":[{"__proto__":"a","constructor":1},{"toString":"b"}]}';
  expect(await saved(odd)).toBe('__proto__,constructor,toString\r\na,1,\r\n,,b\r\n');
});

/** A few characters of each row give the table a column. */
const manyFields = Array.from({ length: 1_004 }, (_, i) => ({ [i]: 1 }));

test('rows of lists in lists are saved as JSON without their depth in spaces', async () => {
  const deep = `${'['.repeat(900)}${Array(1_000).fill(1).join()}${']'.repeat(900)}`;
  const text = await saved(`{"filename":"a.json","rows":[{"a":${deep}},{}]}`);
  expect(text).toBe(`[\n{"a":${deep}},\n{}\n]\n`);
});

test.each([
  [{ filename: 'a.csv' }, /either content or rows/],
  [{ filename: 'a.csv', content: 'a', rows }, /either content or rows/],
  [{ filename: 'a.md', rows }, /ends in \.csv or \.json/],
  [{ filename: 'a.csv', rows, append: true }, /as a whole file/],
  [{ filename: 'a.csv', rows: [1] }, /rows/],
  [{ filename: 'a.csv', rows: manyFields }, /1009020 cells; at most 1000000/],
])('%j is refused in words', async (args, reason) => {
  await expect(saved(args)).rejects.toThrow(reason);
});
