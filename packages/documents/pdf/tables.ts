import type { PdfLine } from './lines.ts';

interface Band {
  x: number;
  endX: number;
}

/** More rows than a page shows. Without a limit, a run of lines that is no table would be read again from each line. */
const longestRun = 1_000;

/** The number of lines from `start` on that could be rows of one table, wrapped cells included. */
function runLength(lines: readonly PdfLine[], start: number): number {
  const limit = Math.min(lines.length, start + longestRun);
  let end = start;
  for (; end < limit; end++) {
    const line = lines[end]!;
    const before = lines[end - 1];
    if (end > start && before && Math.abs(before.y - line.y) > 4 * line.size) break;
    if (line.segments.length >= 2) continue;
    const first = lines[start]!.segments[0]!;
    const isWrappedCell =
      end > start && line.segments[0]!.x > first.endX && before!.y - line.y < 1.6 * line.size;
    if (!isWrappedCell) break;
  }
  return end - start;
}

function columnBands(lines: readonly PdfLine[]): Band[] {
  const segments = lines.flatMap((line) => line.segments).sort((one, other) => one.x - other.x);
  const bands: Band[] = [];
  for (const { x, endX } of segments) {
    const last = bands.at(-1);
    if (last && x < last.endX) last.endX = Math.max(last.endX, endX);
    else bands.push({ x, endX });
  }
  return bands;
}

function toRow(line: PdfLine, bands: readonly Band[]): string[] {
  const row = bands.map(() => '');
  for (const segment of line.segments) {
    const column = bands.findIndex(({ x, endX }) => segment.x >= x && segment.x < endX);
    if (column >= 0) row[column] = `${row[column]} ${segment.text}`.trim();
  }
  return row;
}

function isWrapped(row: readonly string[]): boolean {
  return row[0] === '' && row.filter((cell) => cell !== '').length === 1;
}

/** The table that starts at this line, if the columns of two rows or more line up. */
export function readPdfTable(
  lines: readonly PdfLine[],
  start: number,
): { rows: string[][]; lines: number } | undefined {
  if (lines[start]!.segments.length < 2) return undefined;
  const count = runLength(lines, start);
  const run = lines.slice(start, start + count);
  if (run.filter((line) => line.segments.length >= 2).length < 2) return undefined;
  const bands = columnBands(run);
  if (bands.length < 2) return undefined;
  const rows: string[][] = [];
  for (const line of run) {
    const row = toRow(line, bands);
    const above = rows.at(-1);
    if (above && isWrapped(row)) {
      for (const [column, cell] of row.entries()) above[column] = `${above[column]} ${cell}`.trim();
    } else rows.push(row);
  }
  return { rows, lines: count };
}
