import type { BlockStyle, MarkdownWriter } from '@errand/text';
import { lineText, type PdfLine } from './lines.ts';
import { readPdfTable } from './tables.ts';

const headingFactor = 1.15;
const longestHeading = 200;
const headingLevels = 4;

/**
 * The smallest right edge that a page may have, as a part of its width. It keeps the short lines of a page without long
 * ones apart.
 */
const leastRightEdge = 0.6;

export interface PdfPage {
  /** From 1. */
  number: number;
  width: number;
  lines: PdfLine[];
}

/** The text size that most of a document has, and the sizes of its headings, largest first. */
interface PdfSizes {
  body: number;
  headings: readonly number[];
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

export function measureSizes(pages: readonly PdfPage[]): PdfSizes {
  const characters = new Map<number, number>();
  for (const line of pages.flatMap(({ lines }) => lines)) {
    const size = rounded(line.size);
    characters.set(size, (characters.get(size) ?? 0) + lineText(line).length);
  }
  const body = [...characters].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0];
  const larger = [...characters.keys()].filter((size) => size > body * headingFactor);
  return { body, headings: larger.sort((one, other) => other - one).slice(0, headingLevels) };
}

function listItem(text: string): { marker: string; depth: number; rest: string } | undefined {
  const point = /^([•◦▪‣●○■·])\s*(.+)$/.exec(text);
  if (point)
    return {
      marker: '-',
      depth: '◦○'.includes(point[1]!) ? 1 : '▪■'.includes(point[1]!) ? 2 : 0,
      rest: point[2]!,
    };
  const number = /^(\d{1,3})[.)] (.+)$/.exec(text);
  return number ? { marker: `${number[1]}.`, depth: 0, rest: number[2]! } : undefined;
}

function isSameParagraph(before: PdfLine, line: PdfLine): boolean {
  const drop = before.y - line.y;
  return (
    drop > 0 && drop <= 1.7 * Math.max(before.size, line.size) && rounded(before.size) === rounded(line.size)
  );
}

/** A block that lines are still added to. Its texts are joined only at its end, because there may be very many. */
interface OpenBlock {
  style: BlockStyle;
  texts: string[];
  /** The last two characters. */
  tail: string;
}

const noBlock: OpenBlock = { style: { kind: 'paragraph' }, texts: [], tail: '' };

export function writePdfPage(writer: MarkdownWriter, page: PdfPage, sizes: PdfSizes): void {
  const { lines } = page;
  const leastEdge = page.width * leastRightEdge;
  const rightEdge = lines.reduce((most, line) => Math.max(most, line.segments.at(-1)?.endX ?? 0), leastEdge);
  let block = noBlock;
  for (let index = 0; index < lines.length; index++) {
    const table = readPdfTable(lines, index);
    const line = lines[index]!;
    const before = lines[index - 1];
    if (table) {
      writeBlock(writer, block);
      writeTable(writer, table.rows);
      block = noBlock;
      index += table.lines - 1;
    } else if (before && continues(block, before, line)) joinLine(block, before, line, rightEdge);
    else {
      writeBlock(writer, block);
      block = startBlock(line, sizes);
    }
  }
  writeBlock(writer, block);
}

function startBlock(line: PdfLine, sizes: PdfSizes): OpenBlock {
  const text = lineText(line);
  const heading = text.length <= longestHeading ? sizes.headings.indexOf(rounded(line.size)) + 1 : 0;
  const item = listItem(text);
  if (heading > 0) return { style: { kind: 'heading', level: heading }, texts: [text], tail: text.slice(-2) };
  if (!item) return { style: { kind: 'paragraph' }, texts: [text], tail: text.slice(-2) };
  const { depth, marker, rest } = item;
  return { style: { kind: 'item', depth, marker }, texts: [rest], tail: rest.slice(-2) };
}

const continues = (block: OpenBlock, before: PdfLine, line: PdfLine): boolean =>
  block.tail !== '' && !listItem(lineText(line)) && isSameParagraph(before, line);

/** Adds a line to its paragraph. A hyphenated word is joined; a line that ends early keeps its line break. */
function joinLine(block: OpenBlock, before: PdfLine, line: PdfLine, rightEdge: number): void {
  const text = lineText(line);
  const { texts, style, tail } = block;
  if (/\p{Ll}-$/u.test(tail) && /^\p{Ll}/u.test(text)) {
    texts.push(texts.pop()!.slice(0, -1), text);
    block.tail = (tail.slice(0, -1) + text).slice(-2);
    return;
  }
  const isFull = (before.segments.at(-1)?.endX ?? 0) >= rightEdge * 0.8;
  texts.push(isFull || style.kind !== 'paragraph' ? ' ' : '\n', text);
  block.tail = ` ${text}`.slice(-2);
}

function writeBlock(writer: MarkdownWriter, { style, texts }: OpenBlock): void {
  writer.begin(style);
  writer.text(texts.join(''));
  writer.end();
}

function writeTable(writer: MarkdownWriter, rows: readonly string[][]): void {
  const table = writer.longTable();
  for (const row of rows) table.row(row);
  table.end();
}
