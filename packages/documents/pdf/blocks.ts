import type { BlockStyle, MarkdownWriter } from '@errand/text';
import { lineText, type PdfLine } from './lines.ts';
import { readPdfTable } from './tables.ts';

const headingFactor = 1.15;
const longestHeading = 200;
const headingLevels = 4;

/** Of the page's width: on a page of short lines alone, each line still ends where it ends. */
const leastRightEdge = 0.6;

export interface PdfPage {
  width: number;
  lines: PdfLine[];
}

/** The sizes of a document's text: the one most of it is set in, and the larger ones, largest first. */
export interface PdfSizes {
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

function joint(
  before: PdfLine,
  textBefore: string,
  text: string,
  rightEdge: number,
): { keep: string; between: string } {
  if (/\p{Ll}-$/u.test(textBefore.slice(-2)) && /^\p{Ll}/u.test(text))
    return { keep: textBefore.slice(0, -1), between: '' };
  const isFull = (before.segments.at(-1)?.endX ?? 0) >= rightEdge * 0.8;
  return { keep: textBefore, between: isFull ? ' ' : '\n' };
}

export function writePdfPage(writer: MarkdownWriter, page: PdfPage, sizes: PdfSizes): void {
  const { lines } = page;
  const leastEdge = page.width * leastRightEdge;
  const rightEdge = lines.reduce((most, line) => Math.max(most, line.segments.at(-1)?.endX ?? 0), leastEdge);
  let style: BlockStyle = { kind: 'paragraph' };
  let waiting = '';

  function flush(): void {
    writer.begin(style);
    writer.text(waiting);
    writer.end();
    waiting = '';
  }

  for (let index = 0; index < lines.length; index += 1) {
    const table = readPdfTable(lines, index);
    if (table) {
      flush();
      const rows = writer.longTable();
      for (const row of table.rows) rows.row(row);
      rows.end();
      index += table.lines - 1;
      continue;
    }
    const line = lines[index]!;
    const before = lines[index - 1];
    const text = lineText(line);
    const item = listItem(text);
    const heading = text.length <= longestHeading ? sizes.headings.indexOf(rounded(line.size)) + 1 : 0;
    const joins = before && waiting !== '' && !item && isSameParagraph(before, line);
    if (joins) {
      const { keep, between } = joint(before, waiting, text, rightEdge);
      waiting = keep + (style.kind === 'paragraph' ? between : ' '.repeat(between.length)) + text;
      continue;
    }
    flush();
    if (heading > 0) style = { kind: 'heading', level: heading };
    else if (item) style = { kind: 'item', depth: item.depth, marker: item.marker };
    else style = { kind: 'paragraph' };
    waiting = item && heading === 0 ? item.rest : text;
  }
  flush();
}
