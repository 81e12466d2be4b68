import { escapeMarkup, type Material, makePage } from './material.ts';
import { makeWorkbook } from './office-files.ts';
import { contentTypes } from './short-documents.ts';

export type TableKind = '.csv' | '.xlsx' | '.html' | '.md';

export interface Table {
  path: string;
  title: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The table as a file of that kind. */
export function tableFile(kind: TableKind, table: Table, statedRows: Table['rows'] = table.rows): Material {
  const { path, title } = table;
  const states = statedRows.flatMap((row) =>
    row.slice(1).map((value) => ({ about: row[0]!, value, also: row.join(' ; ') })),
  );
  if (kind === '.html') return makePage({ path, title, body: htmlTable(table), states, isIndexed: false });
  return {
    path,
    title,
    contentType: contentTypes[kind],
    bytes: bytesOf(kind, table),
    states,
    isIndexed: false,
  };
}

/** The cells as every format shows them. */
export const rowPassage = (row: readonly string[]): string => row.join(' | ');

function bytesOf(kind: Exclude<TableKind, '.html'>, { title, heads, rows }: Table): Uint8Array {
  if (kind === '.xlsx') return makeWorkbook(title, [heads, ...rows]);
  if (kind === '.csv')
    return Buffer.from([heads, ...rows].map((row) => row.map(csvCell).join(',')).join('\n'));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return Buffer.from(
    [`# ${title}`, '', line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n'),
  );
}

const csvCell = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

function htmlTable({ heads, rows }: Table): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${row(heads, 'th')}${rows.map((cells) => row(cells, 'td')).join('\n')}</table>`;
}
