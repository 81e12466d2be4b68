import { type Block, type BlockStyle, renderBlock, separator } from './block-text.ts';
import { addCell, type Blocks, eachBlock, type HeldTable, takeRows } from './held-table.ts';
import { appendPiece, type InlinePiece, type Marks } from './inline-text.ts';
import { createTableLines, type Padding, renderTable, type TableLines } from './markdown-table.ts';
import { createOutputText, type OutputText } from './output-text.ts';

export interface MarkdownWriter {
  begin(style: BlockStyle): void;
  end(): void;
  text(value: string, marks?: Marks): void;
  openTable(): void;
  openRow(): void;
  openCell(): void;
  closeCell(): void;
  /** Marks the innermost open table as one that only lays out the page. Then only its blocks are written. */
  markLayout(): void;
  closeTable(): void;
  /** Starts a table whose rows are written as they come, because it may be too long to be held. */
  longTable(): TableLines;
  /** Names the place in the original at which the next text begins, such as `page 2`. The text does not show it. */
  place(name: string): void;
  /** The number of characters written so far. */
  characters(): number;
  finish(): MarkdownText;
}

export interface MarkdownText {
  text: string;
  truncatedCharacters: number;
  /** Where in the text its places begin, in their order. */
  places: WrittenPlace[];
}

export interface WrittenPlace {
  start: number;
  name: string;
}

interface WriterState {
  output: OutputText;
  /** The open cells, the innermost last. */
  cells: Blocks[];
  tables: HeldTable[];
  last: Pick<Block, 'joins'> | undefined;
  style: BlockStyle;
  /** The text of the open block. */
  pieces: InlinePiece[];
  padding: Padding;
  places: WrittenPlace[];
  /** A place that no text was written for yet. */
  nextPlace: string | undefined;
}

const rowsHeld = 1_000;
/**
 * The bound on added empty cells. Each takes three characters, so this many are longer than a whole conversion: tables
 * that are shown whole get all of theirs.
 */
const paddingCells = 1_000_000;
const paragraph: BlockStyle = { kind: 'paragraph' };

/** Builds markdown from a reader's events in one pass. Characters past `limit` are counted, not kept. */
export function createMarkdownWriter(limit: number): MarkdownWriter {
  const state: WriterState = {
    output: createOutputText(limit),
    cells: [],
    tables: [],
    last: undefined,
    style: paragraph,
    pieces: [],
    padding: { cellsLeft: paddingCells },
    places: [],
    nextPlace: undefined,
  };
  return {
    begin(style) {
      endBlock(state);
      state.style = style;
    },
    end: () => endBlock(state),
    text(value, marks = {}) {
      if (value) appendPiece(state.pieces, value, marks);
    },
    openTable: () => openTable(state),
    openRow: () => openRow(state),
    openCell() {
      endBlock(state);
      state.cells.push([]);
    },
    closeCell: () => closeCell(state),
    markLayout() {
      const table = state.tables.at(-1);
      if (table) table.isLayout = true;
    },
    closeTable: () => closeTable(state),
    longTable: () => startLongTable(state),
    place(name) {
      endBlock(state);
      state.nextPlace = name;
    },
    characters() {
      endBlock(state);
      return state.output.characters();
    },
    finish() {
      endBlock(state);
      return { ...state.output.finish(), places: state.places };
    },
  };
}

function endBlock(state: WriterState): void {
  if (state.pieces.length > 0) {
    const block = renderBlock(state.style, state.pieces);
    state.pieces = [];
    if (block) put(state, block);
  }
  state.style = paragraph;
}

function put(state: WriterState, block: Block): void {
  const cell = state.cells.at(-1);
  if (cell) cell.push(block);
  else {
    const between = separator(state.last, block);
    if (state.nextPlace !== undefined)
      state.places.push({ start: state.output.characters() + between.length, name: state.nextPlace });
    state.nextPlace = undefined;
    state.output.push(between + block.text);
    state.last = block.joins ? { joins: block.joins } : {};
  }
}

function openTable(state: WriterState): void {
  endBlock(state);
  const outer = state.tables.at(-1);
  if (outer && state.cells.length > 0) outer.isLayout = true;
  state.tables.push({ rows: [], columns: 0, isLayout: false });
}

function openRow(state: WriterState): void {
  const table = state.tables.at(-1);
  if (table && table.rows.length >= rowsHeld) passRowsOn(state, table);
  table?.rows.push([]);
}

function closeCell(state: WriterState): void {
  endBlock(state);
  const cell = state.cells.pop();
  const table = state.tables.at(-1);
  if (cell && table) addCell(table, cell);
}

function passRowsOn(state: WriterState, table: HeldTable): void {
  const isPlain = state.tables.length === 1 && !table.isLayout && table.columns > 1;
  if (!table.lines && !isPlain) return;
  table.lines ??= startLongTable(state);
  for (const row of takeRows(table)) table.lines.row(row);
}

function closeTable(state: WriterState): void {
  endBlock(state);
  const table = state.tables.pop();
  if (!table) return;
  if (table.lines) {
    for (const row of takeRows(table)) table.lines.row(row);
    table.lines.end();
  } else if (table.isLayout || table.columns < 2) unwrap(state, table);
  else {
    const text = renderTable(takeRows(table), state.padding);
    if (text) put(state, { text });
  }
}

function unwrap(state: WriterState, table: HeldTable): void {
  const cell = state.cells.at(-1);
  if (cell) cell.push(table.rows);
  else eachBlock(table.rows, (block) => put(state, block));
}

function startLongTable(state: WriterState): TableLines {
  endBlock(state);
  return createTableLines((text) => put(state, { text, joins: 'line' }), state.padding);
}
