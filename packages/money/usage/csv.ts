import { csvText, writeCsv } from '@errand/platform';
import { type GroupField, groupFields, type UsageRow } from './rows.ts';
import { measures } from './tally.ts';

const sums = measures.map((measure) => (measure === 'amountNanoEuro' ? 'amount' : measure));

/** The rows as CSV with a head. What is null is an empty cell. */
export function writeUsageCsv(groupBy: readonly GroupField[], rows: readonly UsageRow[]): string {
  const fields = groupFields.filter((field) => groupBy.includes(field));
  return writeCsv([
    [...fields, ...sums],
    ...rows.map((row) => [
      ...fields.map((field) => csvText(row[field] ?? '')),
      ...sums.map((sum) => String(row[sum])),
    ]),
  ]);
}
