import { expect, test } from 'vitest';
import { writeUsageCsv } from './csv.ts';
import type { UsageRow } from './rows.ts';

const row = (model: string | null, skill: string | null): UsageRow => ({
  model,
  skill,
  amount: '0.5',
  requests: 2,
  inputTokens: 3,
  cachedInputTokens: 0,
  outputTokens: 4,
  seconds: 0,
  energy: 5,
  emissions: 6,
});

test('the CSV has a head and a line for each row, with empty cells for null', () => {
  expect(writeUsageCsv(['skill', 'model'], [row('writer', null)])).toBe(
    'model,skill,amount,requests,inputTokens,cachedInputTokens,outputTokens,seconds,energy,emissions\r\n' +
      'writer,,0.5,2,3,0,4,0,5,6\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＝1', '＋1', '－1', '＠x'])(
  'a name like %j is no formula for a spreadsheet',
  (name) => {
    expect(writeUsageCsv(['skill'], [row(null, name)]).split('\r\n')[1]).toBe(`'${name},0.5,2,3,0,4,0,5,6`);
  },
);

test('commas, quotes and line ends stay in their cell', () => {
  const csv = writeUsageCsv(['skill'], [row(null, 'a "b", c\r\nd'), row(null, '=a,b')]);
  expect(csv).toContain('\r\n"a ""b"", c\r\nd",0.5');
  expect(csv).toContain(`\r\n"'=a,b",0.5`);
});
