import type { components } from '@errand/client';

export type UsageRow = components['schemas']['UsageRow'];

const groups = ['model', 'key', 'kind'] as const;
export type Group = (typeof groups)[number];

const measures = ['money', 'tokens', 'requests', 'energy', 'emissions'] as const;
export type Measure = (typeof measures)[number];

export interface Sums extends Record<Measure, number> {
  inputTokens: number;
  outputTokens: number;
}

export interface Series {
  name: string;
  sums: Sums;
  /** By day. */
  days: ReadonlyMap<string, Sums>;
}

const nothing = (): Sums => ({
  ...{ money: 0, tokens: 0, requests: 0, energy: 0, emissions: 0 },
  ...{ inputTokens: 0, outputTokens: 0 },
});

const measuresOf = (row: UsageRow): Sums => ({
  money: Number(row.amount),
  tokens: row.inputTokens + row.outputTokens,
  requests: row.requests,
  energy: row.energy,
  emissions: row.emissions,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
});

const add = (a: Sums, b: Sums): Sums =>
  Object.fromEntries(
    Object.keys(a).map((name) => [name, a[name as keyof Sums] + b[name as keyof Sums]]),
  ) as never;

/** The rows as one series for each of the group, the one that cost most first. */
export function toSeries(rows: readonly UsageRow[], group: Group): Series[] {
  const series = new Map<string, { name: string; sums: Sums; days: Map<string, Sums> }>();
  for (const row of rows) {
    const name = row[group] ?? 'unknown';
    const each = series.get(name) ?? { name, sums: nothing(), days: new Map() };
    const day = row.day ?? '';
    each.sums = add(each.sums, measuresOf(row));
    each.days.set(day, add(each.days.get(day) ?? nothing(), measuresOf(row)));
    series.set(name, each);
  }
  return [...series.values()].toSorted((a, b) => b.sums.money - a.sums.money || a.name.localeCompare(b.name));
}

/** As many as can be told apart by their colours. */
const shownSeries = 7;

/** The smaller series of a chart as one. */
export function withOthers(series: readonly Series[]): Series[] {
  if (series.length <= shownSeries) return [...series];
  const rest = series.slice(shownSeries - 1);
  const days = new Map<string, Sums>();
  for (const each of rest)
    for (const [day, sums] of each.days) days.set(day, add(days.get(day) ?? nothing(), sums));
  return [...series.slice(0, shownSeries - 1), { name: 'all others', sums: totalOf(rest), days }];
}

export const totalOf = (series: readonly Series[]): Sums =>
  series.reduce((sum, each) => add(sum, each.sums), nothing());

const dayMilliseconds = 86_400_000;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const dayAfter = (day: string, days = 1): string => dayOf(Date.parse(day) + days * dayMilliseconds);

/** Every day from the first to the last, both of them too. */
export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / dayMilliseconds) + 1;
  return Array.from({ length: Math.max(0, Math.min(count, 366)) }, (_, i) => dayAfter(first, i));
}
