import { expect, test } from 'vitest';
import { safeFilename } from './save-file.ts';

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
