import { type InlinePiece, longestBacktickRun, renderInline, renderLine } from './inline-text.ts';

export type BlockStyle =
  | { kind: 'paragraph' | 'quote' | 'code' }
  | { kind: 'heading'; level: number }
  /** `depth` counts from 0. A block without a marker is a further paragraph of the item before it. */
  | { kind: 'item'; depth: number; marker?: string };

export interface Block {
  text: string;
  /** The text inside a table's cell, which cannot hold headings and code blocks. */
  inCell?: string;
  /** Neighbouring blocks with the same value have no empty line between them. */
  joins?: 'item' | 'line';
}

const deepestIndent = 12;

/** Writes a block as markdown. Returns undefined if it has no text. */
export function renderBlock(style: BlockStyle, pieces: readonly InlinePiece[]): Block | undefined {
  if (style.kind === 'code') return renderCodeBlock(pieces.map(({ text }) => text).join(''));
  if (style.kind === 'heading') {
    const title = renderLine(pieces);
    const hashes = '#'.repeat(Math.min(Math.max(style.level, 1), 6));
    return title ? { text: `${hashes} ${title}`, inCell: title } : undefined;
  }
  const text = renderInline(pieces);
  if (!text) return undefined;
  if (style.kind === 'quote') return { text: `> ${text.replaceAll('\n', '\n> ')}` };
  if (style.kind !== 'item') return { text };
  const indent = '    '.repeat(Math.min(style.depth, deepestIndent));
  const first = style.marker === undefined ? `${indent}  ` : `${indent}${style.marker} `;
  return { text: first + text.replaceAll('\n', `\n${indent}  `), joins: 'item' };
}

function renderCodeBlock(source: string): Block | undefined {
  const code = source.replace(/^\n+/, '').trimEnd();
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(code) + 1));
  return code ? { text: `${fence}\n${code}\n${fence}`, inCell: code } : undefined;
}

/** The line ends between two blocks. */
export function separator(before: Pick<Block, 'joins'> | undefined, next: Block): string {
  if (!before) return '';
  return before.joins && before.joins === next.joins ? '\n' : '\n\n';
}
