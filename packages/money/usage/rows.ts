import { fieldIssue, limits, toIso } from '@errand/platform';
import { formatEuro } from '../euro.ts';
import { type Group, type Measure, measures } from './tally.ts';
import { hourMilliseconds, toDay } from './times.ts';

/** What usage can be grouped by, in the order in which rows have it. */
export const groupFields = ['day', 'hour', 'key', 'model', 'kind', 'skill'] as const;

export type GroupField = (typeof groupFields)[number];

/** Null if an entry of an earlier release does not have the field, and for the skill of work without a skill. */
export type UsageRow = Partial<Record<GroupField, string | null>> &
  Record<Exclude<Measure, 'amountNanoEuro'>, number> & {
    /** EUR, as a decimal. What was charged is positive. */
    amount: string;
  };

const readField: Record<GroupField, (day: number, group: Group) => string | null> = {
  day: (day) => toDay(day),
  hour: (day, [hour]) => toIso(day + hour * hourMilliseconds),
  key: (_, [, [, keyId]]) => keyId,
  model: (_, [, [, , model]]) => model,
  kind: (_, [, [, , , kind]]) => kind,
  skill: (_, [, [, , , , skill]]) => skill,
};

interface Rows {
  add(day: number, groups: Iterable<Group>): void;
  /** Sorted by what they are grouped by. */
  toList(): UsageRow[];
}

/** Throws `invalid_request` if there are more rows than an answer may have. */
export function createRows(groupBy: readonly GroupField[]): Rows {
  const fields = groupFields.filter((field) => groupBy.includes(field));
  const rows = new Map<string, { values: (string | null)[]; sums: number[] }>();
  return {
    add(day, groups) {
      for (const group of groups) {
        const values = fields.map((field) => readField[field](day, group));
        const key = JSON.stringify(values);
        const row = rows.get(key) ?? { values, sums: measures.map(() => 0) };
        for (const [i, sum] of group[2].entries()) row.sums[i] = (row.sums[i] ?? 0) + sum;
        rows.set(key, row);
        if (rows.size > limits.usageRows) throw tooMany();
      }
    },
    toList() {
      const sorted = [...rows.values()].sort((a, b) => compareAll(a.values, b.values));
      return sorted.map(({ values, sums }) => toRow(fields, values, sums));
    },
  };
}

const tooMany = () =>
  fieldIssue('groupBy', `gives more than ${limits.usageRows} rows: ask for less time, or group by less`);

function toRow(fields: readonly GroupField[], values: readonly (string | null)[], sums: readonly number[]) {
  const [amountNanoEuro = 0, ...rest] = sums;
  return Object.fromEntries([
    ...fields.map((field, i) => [field, values[i]]),
    ['amount', formatEuro(amountNanoEuro)],
    ...measures.slice(1).map((measure, i) => [measure, rest[i]]),
  ]) as UsageRow;
}

function compareAll(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [i, value] of a.entries()) {
    const order = compare(value ?? '', b[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
