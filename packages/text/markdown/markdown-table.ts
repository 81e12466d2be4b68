const rowsReadBeforeTheWidthIsSettled = 200;

export interface TableLines {
  row(cells: readonly string[]): void;
  end(): void;
}

/**
 * The empty cells that may still be added to rows that are narrower than their table. Without a bound, one wide row
 * and many narrow ones would cost the square of a file's size.
 */
export interface Padding {
  cellsLeft: number;
}

/** Turns rows into lines of a markdown table. The first row is its heading; empty rows are left out. */
export function createTableLines(emit: (line: string) => void, padding: Padding): TableLines {
  let waiting: (readonly string[])[] | undefined = [];
  let columns = 0;

  function settle(): void {
    if (!waiting) return;
    const [heading, ...rest] = waiting;
    waiting = undefined;
    if (!heading) return;
    emit(renderRow(heading, columns, padding));
    emit(`|${' --- |'.repeat(columns)}`);
    for (const row of rest) emit(renderRow(row, columns, padding));
  }

  return {
    row(cells) {
      const used = cells.slice(0, usedColumns(cells));
      if (used.length === 0) return;
      if (!waiting) return emit(renderRow(used, columns, padding));
      columns = Math.max(columns, used.length);
      waiting.push(used);
      if (waiting.length >= rowsReadBeforeTheWidthIsSettled) settle();
    },
    end: settle,
  };
}

export function renderTable(rows: readonly (readonly string[])[], padding: Padding): string {
  const lines: string[] = [];
  const table = createTableLines((text) => lines.push(text), padding);
  for (const row of rows) table.row(row);
  table.end();
  return lines.join('\n');
}

function renderRow(row: readonly string[], columns: number, padding: Padding): string {
  const missing = Math.min(Math.max(columns - row.length, 0), padding.cellsLeft);
  padding.cellsLeft -= missing;
  return `| ${row.map(renderCell).join(' | ')} |${'  |'.repeat(missing)}`;
}

function renderCell(value: string): string {
  const lines = value.replaceAll('|', '\\|').trim().split('\n');
  return lines.map((line) => line.trim()).join('<br>');
}

function usedColumns(row: readonly string[]): number {
  return row.findLastIndex((value) => value.trim() !== '') + 1;
}
