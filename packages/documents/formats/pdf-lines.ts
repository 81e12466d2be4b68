export interface PdfTextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
}

/** Text that stands together; a wide gap on the line starts the next segment. */
export interface PdfSegment {
  x: number;
  endX: number;
  text: string;
}

export interface PdfLine {
  y: number;
  size: number;
  segments: PdfSegment[];
}

/** In parts of the text's size: beyond these a space, or a column's gap, is seen. */
const spaceGap = 0.15;
const columnGap = 1.2;

const loneMarker = /^(?:[•◦▪‣●○■–·*-]|\(?(?:\d{1,3}|[a-z])[.)])$/i;

function startsLine(line: PdfLine | undefined, item: PdfTextItem): boolean {
  if (!line) return true;
  const size = Math.max(line.size, item.size);
  const end = line.segments.at(-1)?.endX ?? 0;
  return Math.abs(item.y - line.y) > size * 0.6 || item.x < end - size * 2;
}

function addToLine(line: PdfLine, item: PdfTextItem, spaceBefore: boolean): void {
  const last = line.segments.at(-1);
  const gap = item.x - (last?.endX ?? item.x);
  const endX = item.x + item.width;
  if (last && (gap <= columnGap * item.size || loneMarker.test(last.text.trim()))) {
    const space = spaceBefore || gap > spaceGap * item.size ? ' ' : '';
    last.text += space + item.text;
    last.endX = Math.max(last.endX, endX);
  } else line.segments.push({ x: item.x, endX, text: item.text });
  line.size = Math.max(line.size, item.size);
}

/** Lines in the order in which the page draws them, which keeps columns of text apart. */
export function groupIntoLines(items: Iterable<PdfTextItem>): PdfLine[] {
  const lines: PdfLine[] = [];
  let line: PdfLine | undefined;
  let spaceBefore = false;
  for (const item of items) {
    if (item.text.trim() === '') {
      spaceBefore ||= item.text !== '';
      continue;
    }
    if (startsLine(line, item)) {
      line = { y: item.y, size: item.size, segments: [] };
      lines.push(line);
      spaceBefore = false;
    }
    addToLine(line!, item, spaceBefore);
    spaceBefore = false;
  }
  return lines;
}

export function lineText(line: PdfLine): string {
  return line.segments
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
