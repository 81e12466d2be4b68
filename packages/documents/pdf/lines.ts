import { inReadingOrder, isRightToLeft, type SeenPiece } from './direction.ts';

export interface PdfTextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  /** Whether the text is Arabic, Hebrew or the like. */
  isRightToLeft?: boolean;
}

/** A part of a line that ends at a wide gap. */
export interface PdfSegment {
  x: number;
  endX: number;
  text: string;
}

export interface PdfLine {
  y: number;
  size: number;
  /** From left to right, whatever the direction of the text. */
  segments: PdfSegment[];
  isRightToLeft?: boolean;
}

/** A gap wider than these multiples of the text's size is a space, or the end of a column. */
const spaceGap = 0.15;
const columnGap = 1.2;

const loneMarker = /^(?:[•◦▪‣●○■–·*-]|\(?(?:\d{1,3}|[a-z])[.)])$/i;

interface DrawnItem extends PdfTextItem {
  place: number;
  afterBlank: boolean;
}

/** A line that items are still added to. */
interface OpenLine {
  y: number;
  size: number;
  endX: number;
  items: DrawnItem[];
}

function startsLine(line: OpenLine | undefined, item: PdfTextItem): boolean {
  if (!line) return true;
  const size = Math.max(line.size, item.size);
  if (Math.abs(item.y - line.y) > size * 0.6) return true;
  // Programs draw the pieces of right-to-left text in either order.
  if (item.isRightToLeft || line.items.at(-1)?.isRightToLeft) return false;
  return item.x < line.endX - size * 2;
}

function toLine({ y, size, items }: OpenLine): PdfLine {
  if (!items.some((item) => item.isRightToLeft)) return { y, size, segments: toSegments(items) };
  const seen = items.toSorted((one, other) => one.x - other.x);
  const pieces = items.map(({ text, isRightToLeft: isLeft = false }) => ({ text, isRightToLeft: isLeft }));
  return { y, size, segments: toSegments(seen), isRightToLeft: isRightToLeft(pieces) };
}

function toSegments(items: readonly DrawnItem[]): PdfSegment[] {
  const open: { x: number; endX: number; pieces: SeenPiece[] }[] = [];
  let before: DrawnItem | undefined;
  for (const item of items) {
    const last = open.at(-1);
    const gap = item.x - (last?.endX ?? item.x);
    const piece = {
      text: item.text,
      isRightToLeft: item.isRightToLeft ?? false,
      spaceBefore: gap > spaceGap * item.size || (before !== undefined && isBlankBetween(before, item)),
    };
    const endX = item.x + item.width;
    const isNear = gap <= columnGap * item.size;
    if (last && (isNear || loneMarker.test(inReadingOrder(last.pieces).trim()))) {
      last.pieces.push(piece);
      last.endX = Math.max(last.endX, endX);
    } else open.push({ x: item.x, endX, pieces: [piece] });
    before = item;
  }
  return open.map(({ x, endX, pieces }) => ({ x, endX, text: inReadingOrder(pieces) }));
}

/** Whether a blank was drawn between two neighbours. */
function isBlankBetween(one: DrawnItem, other: DrawnItem): boolean {
  if (other.place === one.place + 1) return other.afterBlank;
  return one.place === other.place + 1 && one.afterBlank;
}

/** Lines in the order in which the page draws them: that order keeps columns of text apart. */
export function groupIntoLines(items: Iterable<PdfTextItem>): PdfLine[] {
  const lines: OpenLine[] = [];
  let afterBlank = false;
  for (const item of items) {
    if (item.text.trim() === '') {
      afterBlank ||= item.text !== '';
      continue;
    }
    let line = lines.at(-1);
    if (!line || startsLine(line, item)) {
      line = { y: item.y, size: item.size, endX: 0, items: [] };
      lines.push(line);
      afterBlank = false;
    }
    line.items.push({ ...item, place: line.items.length, afterBlank });
    line.size = Math.max(line.size, item.size);
    line.endX = Math.max(line.endX, item.x + item.width);
    afterBlank = false;
  }
  return lines.map(toLine);
}

export function lineText({ segments, isRightToLeft: isLeft }: PdfLine): string {
  return (isLeft ? segments.toReversed() : segments)
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
