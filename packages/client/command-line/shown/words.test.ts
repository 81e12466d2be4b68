import { describe, expect, test } from 'vitest';
import { bar, sparkline } from './bars.ts';
import { onOneLine, printable, printableJson } from './printable.ts';
import { tableLines } from './table.ts';
import { age, bytes, count, euros, utcTime } from './words.ts';

test.each([
  ['0', '0.00 EUR'],
  ['10', '10.00 EUR'],
  ['9.87654321', '9.8765 EUR'],
  ['0.1', '0.10 EUR'],
  ['100', '100.00 EUR'],
  ['0.00001', '<0.0001 EUR'],
  ['-0.00001', '-<0.0001 EUR'],
])('an amount of %s reads %s', (amount, words) => {
  expect(euros(amount)).toBe(words);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [220_000, '220 kB'],
  [3_600_000, '3.6 MB'],
  [250_000_000, '250 MB'],
])('%i bytes read %s', (count, words) => {
  expect(bytes(count)).toBe(words);
});

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [61, '1 min'],
  [3600, '1 h'],
  [90_000, '1 d'],
])('what was %i seconds ago is %s old', (seconds, words) => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  expect(age(new Date(now - seconds * 1000).toISOString(), now)).toBe(words);
});

test('a time is shown in UTC', () => {
  expect(utcTime('2026-12-01T00:00:00Z')).toBe('2026-12-01 00:00 UTC');
  expect(utcTime('2026-12-01T01:30:59.123+01:00')).toBe('2026-12-01 00:30 UTC');
  expect(utcTime('soon')).toBe('?');
});

describe('bars', () => {
  test('of a share are full and empty as it says', () => {
    expect([bar(0, 4), bar(0.5, 4), bar(1, 4)]).toEqual(['░░░░', '██░░', '████']);
  });

  test('of days are as high as their share of the largest, and nothing for nothing', () => {
    expect(sparkline([0, 1, 4, 8])).toBe(' ▂▅█');
    expect(sparkline([0, 0])).toBe('  ');
  });
});

test('a table has columns of one width, numbers at their right', () => {
  const columns = [{ head: 'NAME' }, { head: 'COST', right: true as const }];
  expect(
    tableLines(columns, [
      ['a', '10'],
      ['longer', '2'],
    ]),
  ).toEqual(['NAME    COST', 'a         10', 'longer     2']);
});

test.each<unknown>([undefined, null, {}, { valueOf: 1, toString: 1 }, 'much', true])(
  'what is no number or time is shown as unknown: %j',
  (wrong) => {
    const given = wrong as never;
    expect(euros(given)).toBe('? EUR');
    expect(count(given)).toBe('?');
    if (typeof wrong !== 'object') expect(age(given, 0)).toBe('?');
  },
);

test('a value that is not a text is shown as JSON', () => {
  expect(printable({ a: 1 })).toBe('{"a":1}');
  expect(onOneLine(undefined, 8)).toBe('');
});

test('a long cell does not widen its column without end, and no cell breaks its line', () => {
  const [, row = ''] = tableLines([{ head: 'A' }, { head: 'B' }], [['x'.repeat(10_000), 'one\ntwo']]);
  expect(row).toMatch(/^x{199}… {2}one two$/);
});

test('characters that a terminal would obey are not shown', () => {
  expect(printable('a\u001b[31mb\u0007\r\n\tc\u009b2J\rd')).toBe('a[31mb\n\tc2Jd');
  expect(onOneLine('one\ntwo   three', 8)).toBe('one two…');
});

test('characters that turn, break or hide a line are not shown, and joiners of letters stay', () => {
  expect(printable('a\u202eb\u2066c\u061cd\u200be\u2028f\ufeffg\u200f')).toBe('abcdefg');
  expect(printable('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f469}\u200d\u{1f467}')).toContain(
    '\u200d\u{1f467}',
  );
  expect(JSON.parse(printableJson('"a\u202eb\u009bc"'))).toBe('a\u202eb\u009bc');
});
