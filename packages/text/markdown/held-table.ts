import type { Block } from './block-text.ts';
import type { TableLines } from './markdown-table.ts';

/**
 * Blocks in their order. A layout table joins the cell around it as one group, so moving it costs the same at any
 * depth.
 */
export type Blocks = (Block | Blocks)[];

/** A table that is still open for cells. */
export interface HeldTable {
  rows: Blocks[][];
  /** Cells in the widest row. */
  columns: number;
  /** Whether the table only lays out the page. Its blocks are then written without it. */
  isLayout: boolean;
  /** Set once the table has too many rows to be held. Its rows are then written as they come. */
  lines?: TableLines;
}

export function addCell(table: HeldTable, cell: Blocks): void {
  const row = table.rows.at(-1);
  if (row) row.push(cell);
  else table.rows.push([cell]);
  table.columns = Math.max(table.columns, row?.length ?? 1);
}

/** Takes the rows out of the table, as texts. */
export function takeRows(table: HeldTable): string[][] {
  const rows = table.rows.map((row) => row.map(cellText));
  table.rows = [];
  return rows;
}

export function eachBlock(blocks: Blocks, visit: (block: Block) => void): void {
  for (const block of blocks) {
    if (Array.isArray(block)) eachBlock(block, visit);
    else visit(block);
  }
}

function cellText(cell: Blocks): string {
  const texts: string[] = [];
  eachBlock(cell, ({ inCell, text }) => texts.push(inCell ?? text));
  return texts.join('\n');
}
