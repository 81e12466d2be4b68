import type { BlockStyle } from '../markdown/block-text.ts';
import type { Marks } from '../markdown/inline-text.ts';
import type { MarkdownWriter } from '../markdown/markdown-writer.ts';

interface List {
  ordered: boolean;
  next: number;
  item: { marker: string; used: boolean } | undefined;
}

interface Cell {
  columns: number;
  hasHeading: boolean;
  characters: number;
}

/**
 * A reader's position in a page, which decides how the next text is written. Numbers without a comment count open
 * elements.
 */
export interface HtmlPosition {
  writer: MarkdownWriter;
  lists: List[];
  links: (string | undefined)[];
  cells: Cell[];
  /** The level of the open heading, or 0. */
  heading: number;
  preformatted: number;
  code: number;
  quotes: number;
  bold: number;
  italic: number;
  tables: number;
}

/**
 * A cell with a heading and more characters than this belongs to the page's layout. In a row of a table nobody could
 * read it.
 */
const longestHeadedCell = 500;

export function startOfPage(writer: MarkdownWriter): HtmlPosition {
  return {
    writer,
    lists: [],
    links: [],
    cells: [],
    heading: 0,
    preformatted: 0,
    code: 0,
    quotes: 0,
    bold: 0,
    italic: 0,
    tables: 0,
  };
}

export function startBlock(position: HtmlPosition): void {
  position.writer.begin(blockStyle(position));
}

function blockStyle({ heading, preformatted, lists, quotes }: HtmlPosition): BlockStyle {
  if (heading > 0) return { kind: 'heading', level: heading };
  if (preformatted > 0) return { kind: 'code' };
  const item = lists.at(-1)?.item;
  if (item) return { kind: 'item', depth: lists.length - 1, ...(!item.used && { marker: item.marker }) };
  return { kind: quotes > 0 ? 'quote' : 'paragraph' };
}

export function writeText(position: HtmlPosition, value: string): void {
  const { writer, lists, cells, preformatted } = position;
  const item = lists.at(-1)?.item;
  if (item && !item.used && value.trim()) item.used = true;
  const cell = cells.at(-1);
  if (cell) cell.characters += value.length;
  writer.text(preformatted > 0 ? value : value.replace(/\s+/g, ' '), marksAt(position));
}

function marksAt({ links, bold, italic, code, preformatted }: HtmlPosition): Marks {
  const link = links.at(-1);
  if (preformatted > 0) return { link: link || undefined };
  return { bold: bold > 0, italic: italic > 0, code: code > 0, link: link || undefined };
}

export function writeImage(position: HtmlPosition, description = '', source = ''): void {
  const text = description.trim();
  if (text) writeText(position, /^https?:/i.test(source) ? `![${text}](${source})` : `![${text}]`);
}

export function openHeading(position: HtmlPosition, level: number): void {
  const cell = position.cells.at(-1);
  if (cell) cell.hasHeading = true;
  position.heading = level;
  startBlock(position);
}

export function closeHeading(position: HtmlPosition): void {
  position.heading = 0;
  startBlock(position);
}

export function openList(position: HtmlPosition, ordered: boolean, start = 1): void {
  position.lists.push({ ordered, next: Number.isSafeInteger(start) ? start : 1, item: undefined });
  startBlock(position);
}

export function closeList(position: HtmlPosition): void {
  position.lists.pop();
  startBlock(position);
}

export function openItem(position: HtmlPosition): void {
  const { lists } = position;
  if (lists.length === 0) lists.push({ ordered: false, next: 1, item: undefined });
  const list = lists.at(-1)!;
  list.item = { marker: list.ordered ? `${list.next}.` : '-', used: false };
  list.next++;
  startBlock(position);
}

export function closeItem(position: HtmlPosition): void {
  const list = position.lists.at(-1);
  if (list) list.item = undefined;
  startBlock(position);
}

export function openTable(position: HtmlPosition): void {
  position.tables++;
  position.writer.openTable();
}

export function closeTable(position: HtmlPosition): void {
  position.tables--;
  position.writer.closeTable();
  startBlock(position);
}

export function openCell(position: HtmlPosition, columns: number): void {
  if (position.tables === 0) startBlock(position);
  else {
    position.cells.push({ columns, hasHeading: false, characters: 0 });
    position.writer.openCell();
  }
}

export function closeCell(position: HtmlPosition): void {
  const cell = position.cells.pop();
  if (cell) endCell(position.writer, cell);
  else startBlock(position);
}

function endCell(writer: MarkdownWriter, { columns, hasHeading, characters }: Cell): void {
  writer.closeCell();
  if (hasHeading && characters > longestHeadedCell) writer.markLayout();
  for (let extra = 1; extra < columns; extra++) {
    writer.openCell();
    writer.closeCell();
  }
}
