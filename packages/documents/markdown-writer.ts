import { appendPiece, type InlinePiece, type Marks, plainInline, renderInline } from './inline-text.ts';
import { createTableLines, renderTable, type TableLines } from './markdown-table.ts';
import { createOutputText } from './output-text.ts';

export type BlockStyle =
  | { kind: 'paragraph' | 'quote' | 'code' }
  | { kind: 'heading'; level: number }
  /** `depth` counts from 0; without a marker it is a further paragraph of the item before. */
  | { kind: 'item'; depth: number; marker?: string };

interface Block {
  text: string;
  /** How the block reads inside a table, where headings and code blocks cannot stand. */
  inCell?: string;
  /** Blocks of one such kind follow each other without an empty line between them. */
  joins?: 'item' | 'line';
}

interface Table {
  rows: Block[][][];
  holdsTable: boolean;
  /** Set once the table has outgrown what is held: its rows then go out as they come. */
  lines?: TableLines;
}

export interface MarkdownWriter {
  begin(style: BlockStyle): void;
  end(): void;
  text(value: string, marks?: Marks): void;
  /** A finished line that stands directly under the line before it. */
  line(text: string): void;
  openTable(): void;
  openRow(): void;
  openCell(): void;
  closeCell(): void;
  closeTable(): void;
  /** A table too long to be held: rows go out as they come. */
  longTable(): TableLines;
  /** How much has been written so far. */
  characters(): number;
  finish(): { text: string; truncatedCharacters: number };
}

const rowsHeld = 1_000;

const paragraph: BlockStyle = { kind: 'paragraph' };

function renderBlock(style: BlockStyle, pieces: readonly InlinePiece[]): Block | undefined {
  if (style.kind === 'code') {
    const code = pieces
      .map(({ text }) => text)
      .join('')
      .replace(/^\n+/, '')
      .trimEnd();
    return code ? { text: `\`\`\`\n${code}\n\`\`\``, inCell: code } : undefined;
  }
  if (style.kind === 'heading') {
    const title = plainInline(pieces);
    const hashes = '#'.repeat(Math.min(Math.max(style.level, 1), 6));
    return title ? { text: `${hashes} ${title}`, inCell: title } : undefined;
  }
  const text = renderInline(pieces);
  if (!text) return undefined;
  if (style.kind === 'quote') return { text: `> ${text.replaceAll('\n', '\n> ')}` };
  if (style.kind !== 'item') return { text };
  const indent = '    '.repeat(Math.min(style.depth, 12));
  const first = style.marker === undefined ? `${indent}  ` : `${indent}${style.marker} `;
  return { text: first + text.replaceAll('\n', `\n${indent}  `), joins: 'item' };
}

function separator(before: Block | undefined, next: Block): string {
  if (!before) return '';
  return before.joins && before.joins === next.joins ? '\n' : '\n\n';
}

function rowTexts(table: Table): string[][] {
  return table.rows.map((row) =>
    row.map((blocks) => blocks.map((block) => block.inCell ?? block.text).join('\n')),
  );
}

/** Builds markdown from the events of a reader, in one pass; what exceeds `limit` is counted and let go. */
export function createMarkdownWriter(limit: number): MarkdownWriter {
  const output = createOutputText(limit);
  const cells: Block[][] = [];
  const tables: Table[] = [];
  let last: Block | undefined;
  let style = paragraph;
  let pieces: InlinePiece[] = [];

  function emit(block: Block): void {
    const cell = cells.at(-1);
    if (cell) return void cell.push(block);
    output.push(separator(last, block) + block.text);
    last = block.joins ? { text: '', joins: block.joins } : { text: '' };
  }

  function end(): void {
    const block = pieces.length > 0 ? renderBlock(style, pieces) : undefined;
    pieces = [];
    style = paragraph;
    if (block) emit(block);
  }

  function longTable(): TableLines {
    end();
    return createTableLines((text) => emit({ text, joins: 'line' }));
  }

  function passRowsOn(table: Table): void {
    const isPlain = tables.length === 1 && !table.holdsTable && table.rows.some((row) => row.length > 1);
    if (!table.lines && !isPlain) return;
    table.lines ??= longTable();
    for (const row of rowTexts(table)) table.lines.row(row);
    table.rows = [];
  }

  function closeTable(): void {
    end();
    const table = tables.pop();
    if (!table) return;
    if (table.lines) {
      for (const row of rowTexts(table)) table.lines.row(row);
      table.lines.end();
      return;
    }
    const columns = table.rows.reduce((most, row) => Math.max(most, row.length), 0);
    // A table of one column, or around another table, is there for the layout: its content stands by itself.
    if (table.holdsTable || columns < 2) {
      for (const block of table.rows.flat(2)) emit(block);
      return;
    }
    const text = renderTable(rowTexts(table));
    if (text) emit({ text });
  }

  return {
    begin(next) {
      end();
      style = next;
    },
    end,
    text(value, marks = {}) {
      if (value) appendPiece(pieces, value, marks);
    },
    line(text) {
      end();
      emit({ text, joins: 'line' });
    },
    openTable() {
      end();
      const outer = tables.at(-1);
      if (outer && cells.length > 0) outer.holdsTable = true;
      tables.push({ rows: [], holdsTable: false });
    },
    openRow() {
      const table = tables.at(-1);
      if (table && table.rows.length >= rowsHeld) passRowsOn(table);
      table?.rows.push([]);
    },
    openCell() {
      end();
      cells.push([]);
    },
    closeCell() {
      end();
      const cell = cells.pop();
      const table = tables.at(-1);
      if (!cell || !table) return;
      const row = table.rows.at(-1);
      if (row) row.push(cell);
      else table.rows.push([cell]);
    },
    closeTable,
    longTable,
    characters() {
      end();
      return output.characters();
    },
    finish() {
      end();
      return output.finish();
    },
  };
}
