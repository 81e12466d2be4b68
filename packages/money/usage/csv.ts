import { type GroupField, groupFields, type UsageRow } from './rows.ts';
import { measures } from './tally.ts';

const sums = measures.map((measure) => (measure === 'amountNanoEuro' ? 'amount' : measure));

/** The rows as CSV (RFC 4180) with a head. What is null is an empty cell. */
export function writeUsageCsv(groupBy: readonly GroupField[], rows: readonly UsageRow[]): string {
  const fields = groupFields.filter((field) => groupBy.includes(field));
  const lines = [
    [...fields, ...sums],
    ...rows.map((row) => [
      ...fields.map((field) => textCell(row[field] ?? '')),
      ...sums.map((sum) => String(row[sum])),
    ]),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** A spreadsheet would run a text that begins like a formula, also in the wide letters of East Asia. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;

function textCell(text: string): string {
  const harmless = beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
