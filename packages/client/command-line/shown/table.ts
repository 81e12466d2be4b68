export interface Column {
  head: string;
  /** Numbers stand at the right of their column. */
  right?: true;
}

/** Lines of a table, its head first. The last column is as wide as it needs. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map(({ head }) => head), ...rows];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const cell = (text: string, i: number) =>
    columns[i]?.right ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
  return all.map((row) => row.map(cell).join('  ').trimEnd());
}
