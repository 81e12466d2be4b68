import { expect, test } from 'vitest';
import { daysBetween, toSeries, totalOf, type UsageRow, withOthers } from './tally.ts';

const row = (day: string, model: string | null, amount: string): UsageRow => ({
  ...{ day, model, amount },
  ...{
    requests: 1,
    inputTokens: 10,
    cachedInputTokens: 0,
    outputTokens: 5,
    seconds: 0,
    energy: 2,
    emissions: 1,
  },
});

test('rows become a series for each group, the dearest first, with their sums', () => {
  const series = toSeries(
    [row('2026-01-01', 'a', '1'), row('2026-01-02', 'b', '3'), row('2026-01-02', 'a', '1')],
    'model',
  );
  expect(series.map(({ name, sums }) => [name, sums.money, sums.tokens, sums.requests])).toEqual([
    ['b', 3, 15, 1],
    ['a', 2, 30, 2],
  ]);
  expect(series[1]!.days.get('2026-01-02')?.money).toBe(1);
  expect(totalOf(series).money).toBe(5);
});

test('charges without a group form a group of their own', () => {
  expect(toSeries([row('2026-01-01', null, '1')], 'model')[0]!.name).toBe('unknown');
});

test('series beyond the number of colours are summed up as one, and nothing is lost', () => {
  const rows = Array.from({ length: 12 }, (_, i) => row('2026-01-01', `model-${i}`, String(i + 1)));
  const shown = withOthers(toSeries(rows, 'model'));
  expect(shown.map(({ name }) => name)).toHaveLength(7);
  expect(shown.at(-1)!.name).toBe('all others');
  expect(totalOf(shown).money).toBe(78);
});

test('days are counted from the first to the last, over the end of a month', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(daysBetween('2026-03-01', '2026-02-27')).toEqual([]);
});
