import type { Heading } from '../passage.ts';
import { sizes } from './sizes.ts';

/** What a line begins, told by its first characters. */
type LineKind = 'heading' | 'item' | 'row' | 'fence' | 'stamp' | 'text';

const readCharacters = 400;
const item = /^\s{0,60}(?:[-*+•]|\d{1,9}[.)])\s/;
const stamp = /^\[(\d{2,4}:\d{2}:\d{2})\] /;
const heading = /^(#{1,6})[ \t]+(\S.*)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

export interface ReadLine {
  kind: LineKind;
  heading?: Heading;
  /** The run of signs that opens or closes code. */
  fence?: string;
  /** The time that a transcript's line begins with. */
  stamp?: string;
}

const plain: ReadLine = { kind: 'text' };

export function readLine(text: string, start: number, end: number): ReadLine {
  const line = text.slice(start, Math.min(end, start + readCharacters));
  const head = heading.exec(line);
  if (head) {
    const title = titleOf(head[2]!);
    return title ? { kind: 'heading', heading: { level: head[1]!.length, title } } : plain;
  }
  const signs = fence.exec(line)?.[1];
  if (signs) return { kind: 'fence', fence: signs };
  const time = stamp.exec(line)?.[1];
  if (time) return { kind: 'stamp', stamp: time };
  if (line.startsWith('|')) return { kind: 'row' };
  return item.test(line) ? { kind: 'item' } : plain;
}

/** A heading's words, without links, marks and closing signs. */
function titleOf(text: string): string {
  const words = text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_`]+|\s#+\s*$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= sizes.headingTitle
    ? words.toWellFormed()
    : `${words.slice(0, sizes.headingTitle - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Whether a line divides a table's heading from its rows. */
export function isDivider(text: string, start: number, end: number): boolean {
  return end - start <= sizes.repeated && /^\|[ :|-]*-[ :|-]*$/.test(text.slice(start, end).trimEnd());
}
