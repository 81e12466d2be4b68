import { fencedBlocks, linesOf } from './code-spans.ts';
import { isBlank, type Span } from './span.ts';

/** A paragraph, a heading, a list item or a row of a table, without the signs before it. */
export interface Block extends Span {
  isRow: boolean;
  /** It may be an entry of a list of sources. */
  opensWithMarker: boolean;
}

interface Line {
  kind: 'ruler' | 'row' | 'heading' | 'new' | 'more';
  /** Where its text begins. */
  startIndex: number;
  opensWithMarker: boolean;
}

const quote = /^[ \t>]*/;
const bullet = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const heading = /^#{1,6}[ \t]+/;
const leadingMarker = /^\[\d[\d,;\- \u2013]*\] *[^\s[]/;
const address = /https?:\/\//i;
const endsSentence = /[.!?。！？][ \t\r]{0,10}$/;
const ruler = /^[-|:= \t\r]+$/;

/** The blocks of a markdown text that can make claims, in its order. Fenced code and lists of sources have none. */
export function blocksOf(text: string): Block[] {
  const fences = fencedBlocks(text);
  const blocks: Block[] = [];
  let open: Block | undefined;
  let isTable = false;
  let fence = 0;
  for (const line of linesOf(text)) {
    while (fence < fences.length && fences[fence]!.endIndex < line.startIndex) fence++;
    const inFence = fence < fences.length && fences[fence]!.startIndex <= line.startIndex;
    if (inFence || isBlank(text, line)) {
      open = undefined;
      isTable = false;
      continue;
    }
    const { kind, ...read } = readLine(text, line, isTable);
    isTable ||= kind === 'ruler';
    if (kind === 'ruler') open = undefined;
    else if (open && kind === 'more') open.endIndex = line.endIndex;
    else {
      const block = { ...read, endIndex: line.endIndex, isRow: kind === 'row' };
      blocks.push(block);
      open = kind === 'row' || kind === 'heading' ? undefined : block;
    }
  }
  return blocks.filter((block, i) => !isSource(text, block, [blocks[i - 1], blocks[i + 1]]));
}

/** Whether the block is an entry of a list of sources, which is no claim: it has an address, or stands among others. */
function isSource(text: string, block: Block, neighbours: readonly (Block | undefined)[]): boolean {
  if (!block.opensWithMarker) return false;
  const content = text.slice(block.startIndex, block.endIndex);
  if (address.test(content)) return true;
  return !endsSentence.test(content.slice(-12)) && neighbours.some((other) => other?.opensWithMarker);
}

function readLine(text: string, { startIndex, endIndex }: Span, isTable: boolean): Line {
  const line = text.slice(startIndex, endIndex);
  const indent = line.match(quote)![0].length;
  let content = line.slice(indent);
  const marked = content.match(bullet)?.[0] ?? '';
  content = content.slice(marked.length);
  const hashes = content.match(heading)?.[0] ?? '';
  const opensWithMarker = leadingMarker.test(content);
  const found = { startIndex: startIndex + indent + marked.length + hashes.length, opensWithMarker };
  if (content === '' || ruler.test(content)) return { ...found, kind: 'ruler' };
  if (content.startsWith('|') || (isTable && content.includes('|'))) return { ...found, kind: 'row' };
  if (hashes !== '') return { ...found, kind: 'heading' };
  return { ...found, kind: marked !== '' || opensWithMarker ? 'new' : 'more' };
}
