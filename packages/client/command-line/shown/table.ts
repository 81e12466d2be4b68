import { onOneLine } from './printable.ts';

/** A cell that is longer is cut: it would make all others of its column as wide. */
const longestCell = 200;

interface Column {
  head: string;
  /** Numbers stand at the right of their column. */
  right?: true;
}

/** Lines of a table, its head first. The last column is as wide as it needs. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map(({ head }) => head), ...rows].map((row) =>
    row.map((text) => onOneLine(text, longestCell)),
  );
  const widths = columns.map((_, i) => all.reduce((most, row) => Math.max(most, (row[i] ?? '').length), 0));
  const cell = (text: string, i: number) =>
    columns[i]?.right ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
  return all.map((row) => row.map(cell).join('  ').trimEnd());
}
