import type { MarkdownWriter, TableLines } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/read-xml.ts';

/** Calc fills a row or a sheet to its end with one empty cell or row that repeats up to a million times. */
const maximumRepeatedCells = 1_000;
const maximumRepeatedRows = 1_000;
const maximumColumns = 16_384;
const skippedElements = new Set(['annotation', 'shapes', 'tracked-changes', 'forms', 'frame']);

/** The reader's position in a spreadsheet. */
interface SheetState {
  writer: MarkdownWriter;
  table: TableLines;
  row: string[];
  rowRepeats: number;
  cell: string;
  cellRepeats: number;
  /** Empty cells after the row's last value. They are added only when another value follows. */
  emptyCells: number;
  paragraphs: number;
  /** The number of open elements from the skipped one inwards; 0 if none is skipped. */
  skipped: number;
  hasRows: boolean;
}

/** Writes each sheet of a spreadsheet as a heading and a table. */
export function createSheetsHandler(writer: MarkdownWriter): XmlHandler & { hasRows(): boolean } {
  const state: SheetState = {
    writer,
    table: writer.longTable(),
    row: [],
    rowRepeats: 1,
    cell: '',
    cellRepeats: 1,
    emptyCells: 0,
    paragraphs: 0,
    skipped: 0,
    hasRows: false,
  };
  return {
    open: (name, attributes) => openElement(state, name, attributes),
    close: (name) => closeElement(state, name),
    text(value) {
      if (state.skipped === 0 && state.paragraphs > 0) state.cell += value;
    },
    hasRows: () => state.hasRows,
  };
}

function openElement(state: SheetState, name: string, attributes: Attributes): void {
  if (state.skipped > 0 || skippedElements.has(name)) state.skipped++;
  else if (name === 'table') openSheet(state, attributes['table:name'] ?? '');
  else if (name === 'table-row') {
    state.row = [];
    state.emptyCells = 0;
    state.rowRepeats = repeats(attributes, 'table:number-rows-repeated');
  } else if (name === 'table-cell' || name === 'covered-table-cell') {
    state.cell = '';
    state.cellRepeats = repeats(attributes, 'table:number-columns-repeated');
  } else if (name === 'p') {
    if (state.cell) state.cell += '\n';
    state.paragraphs++;
  } else if (name === 's' || name === 'tab') state.cell += ' ';
  else if (name === 'line-break') state.cell += '\n';
}

function closeElement(state: SheetState, name: string): void {
  if (state.skipped > 0) state.skipped--;
  else if (name === 'p') state.paragraphs--;
  else if (name === 'table-cell' || name === 'covered-table-cell') closeCell(state);
  else if (name === 'table-row') closeRow(state);
  else if (name === 'table') state.table.end();
}

function openSheet(state: SheetState, name: string): void {
  state.writer.place(`sheet ${name}`);
  state.writer.begin({ kind: 'heading', level: 2 });
  state.writer.text(`Sheet: ${name}`);
  state.table = state.writer.longTable();
}

function closeCell(state: SheetState): void {
  const { row, cell, cellRepeats } = state;
  if (cell === '') {
    state.emptyCells += cellRepeats;
    return;
  }
  for (; state.emptyCells > 0 && row.length < maximumColumns; state.emptyCells--) row.push('');
  for (let count = Math.min(cellRepeats, maximumRepeatedCells); count > 0; count--) row.push(cell);
}

function closeRow(state: SheetState): void {
  const { row, rowRepeats, table } = state;
  if (row.length === 0) return;
  state.hasRows = true;
  for (let count = Math.min(rowRepeats, maximumRepeatedRows); count > 0; count--) table.row(row);
}

function repeats(attributes: Attributes, name: string): number {
  return Math.max(1, Number(attributes[name]) || 1);
}
