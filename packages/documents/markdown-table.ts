const rowsReadBeforeTheWidthIsSettled = 200;

function cellText(value: string | undefined): string {
  const lines = (value ?? '').replaceAll('|', '\\|').trim().split('\n');
  return lines.map((line) => line.trim()).join('<br>');
}

function usedColumns(row: readonly string[]): number {
  return row.findLastIndex((value) => value.trim() !== '') + 1;
}

function line(row: readonly string[], columns: number): string {
  const cells = Array.from({ length: Math.max(columns, usedColumns(row)) }, (_, index) =>
    cellText(row[index]),
  );
  return `| ${cells.join(' | ')} |`;
}

export interface TableLines {
  row(cells: readonly string[]): void;
  end(): void;
}

/** Rows in, lines of a markdown table out; the first row is its heading. Rows with nothing in them are left out. */
export function createTableLines(emit: (line: string) => void): TableLines {
  let waiting: (readonly string[])[] | undefined = [];
  let columns = 0;

  function settle(): void {
    if (!waiting) return;
    const [heading, ...rest] = waiting;
    waiting = undefined;
    if (!heading) return;
    emit(line(heading, columns));
    emit(`|${' --- |'.repeat(columns)}`);
    for (const row of rest) emit(line(row, columns));
  }

  return {
    row(cells) {
      const used = usedColumns(cells);
      if (used === 0) return;
      if (!waiting) return emit(line(cells, columns));
      columns = Math.max(columns, used);
      waiting.push(cells.slice(0, used));
      if (waiting.length >= rowsReadBeforeTheWidthIsSettled) settle();
    },
    end: settle,
  };
}

export function renderTable(rows: readonly (readonly string[])[]): string {
  const lines: string[] = [];
  const table = createTableLines((text) => lines.push(text));
  for (const row of rows) table.row(row);
  table.end();
  return lines.join('\n');
}
