import type { Block } from './block-text.ts';
import type { TableLines } from './markdown-table.ts';

/**
 * Blocks in their order. The blocks of a layout table join the cell around it as one group, so that moving them costs
 * the same at any depth.
 */
export type Blocks = (Block | Blocks)[];

/** A table that is still open for cells. */
export interface HeldTable {
  rows: Blocks[][];
  /** Cells in the widest row. */
  columns: number;
  /** Whether the table only lays out the page. Then only its blocks are written. */
  isLayout: boolean;
  /** Set once the table has too many rows to be held. From then on, rows are written as they come. */
  lines?: TableLines;
}

export function addCell(table: HeldTable, cell: Blocks): void {
  const row = table.rows.at(-1);
  if (row) row.push(cell);
  else table.rows.push([cell]);
  table.columns = Math.max(table.columns, row?.length ?? 1);
}

/** Removes the rows from the table and returns their texts. */
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
