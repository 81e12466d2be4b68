import { columnsOf, fieldOf, type Row } from './find-table.ts';

/** A spreadsheet would run a text that begins like a formula, also in the wide letters of East Asia. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The rows as CSV (RFC 4180) with a column for each field. Numbers and flags stand as they are, null is an empty cell, and lists
 * and objects are JSON. A text that begins like a formula has an apostrophe in front.
 */
export function writeCsv(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const lines = [
    columns.map(textCell),
    ...rows.map((row) => columns.map((name) => cellOf(fieldOf(row, name)))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return textCell(value);
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? textCell(JSON.stringify(value)) : String(value);
}

function textCell(text: string): string {
  const harmless = beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
