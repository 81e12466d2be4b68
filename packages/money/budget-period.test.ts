import { budgetPeriods } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodOf, secondsLeft } from './budget-period.ts';

const instants = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2120-01-01T00:00:00Z'),
  noInvalidDate: true,
});

test.each([
  ['2026-11-22T10:00:00.000Z', ['2026-11-22', '2026-W47', '2026-11', 'total']],
  ['2026-12-31T23:59:59.999Z', ['2026-12-31', '2026-W53', '2026-12', 'total']],
  ['2027-01-03T00:00:00.000Z', ['2027-01-03', '2026-W53', '2027-01', 'total']],
  ['2027-01-04T00:00:00.000Z', ['2027-01-04', '2027-W01', '2027-01', 'total']],
  ['2024-12-30T00:00:00.000Z', ['2024-12-30', '2025-W01', '2024-12', 'total']],
])('%s is in the periods %j', (instant, labels) => {
  expect(budgetPeriods.map((period) => periodOf(period, Date.parse(instant)).label)).toEqual(labels);
});

test('a label holds until its period ends, at midnight UTC, and not for a millisecond longer', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom('day', 'week', 'month'), (instant, period) => {
      const now = instant.getTime();
      const { label, endsAtMilliseconds: end = Number.NaN } = periodOf(period, now);
      expect(end).toBeGreaterThan(now);
      expect(new Date(end).toISOString()).toMatch(/T00:00:00.000Z$/);
      expect(periodOf(period, end - 1)).toEqual({ label, endsAtMilliseconds: end });
      expect(periodOf(period, end).label > label).toBe(true);
      const begin = periodOf(period, end).endsAtMilliseconds ?? Number.NaN;
      expect(begin - end).toBeLessThanOrEqual({ day: 1, week: 7, month: 31 }[period] * 86_400_000);
    }),
  );
});

test('weeks begin on Monday, months on their first day', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const endOf = (period: 'week' | 'month') =>
        new Date(periodOf(period, instant.getTime()).endsAtMilliseconds ?? Number.NaN);
      expect(endOf('week').getUTCDay()).toBe(1);
      expect(endOf('month').getUTCDate()).toBe(1);
    }),
  );
});

test('a total never ends', () => {
  expect(periodOf('total', 0)).toEqual({ label: 'total', endsAtMilliseconds: undefined });
  expect(secondsLeft(periodOf('total', 0), 0)).toBeUndefined();
});

test('the seconds until a period ends are whole, and never fewer than the caller must wait', () => {
  const midnight = Date.parse('2026-11-23T00:00:00Z');
  const left = (now: number) => secondsLeft(periodOf('day', now), now);
  expect([left(midnight - 1), left(midnight - 1_000), left(midnight - 1_001), left(midnight)]).toEqual([
    1, 1, 2, 86_400,
  ]);
});
