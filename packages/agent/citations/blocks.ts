import { fencedBlocks, linesOf } from './code-spans.ts';
import { isBlank, type Span } from './span.ts';

/** A paragraph, a heading, a list item or a row of a table, without the signs before it. */
export interface Block extends Span {
  isRow: boolean;
}

const quote = /^[ \t>]*/;
const bullet = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const heading = /^#{1,6}[ \t]+/;
const opensWithMarker = /^\[\d[\d,;\- \u2013]*\] *[^\s[]/;
/** An entry of a list of sources is no claim. */
const isSourceEntry = (line: string): boolean => opensWithMarker.test(line) && /https?:\/\//i.test(line);
const ruler = /^[-|:= \t]+$/;

/** The blocks of a markdown text that can make claims, in its order. Fenced code and lists of sources have none. */
export function blocksOf(text: string): Block[] {
  const fences = fencedBlocks(text);
  const blocks: Block[] = [];
  let open: Block | undefined;
  let fence = 0;
  for (const line of linesOf(text)) {
    while (fence < fences.length && fences[fence]!.endIndex < line.startIndex) fence++;
    const inFence = fence < fences.length && fences[fence]!.startIndex <= line.startIndex;
    if (inFence || isBlank(text, line)) {
      open = undefined;
      continue;
    }
    const read = readLine(text, line);
    if (read.kind === 'none') open = undefined;
    else if (open && read.kind === 'more') open.endIndex = line.endIndex;
    else {
      const block = { startIndex: read.startIndex, endIndex: line.endIndex, isRow: read.kind === 'row' };
      blocks.push(block);
      open = read.kind === 'row' || read.kind === 'heading' ? undefined : block;
    }
  }
  return blocks;
}

function readLine(
  text: string,
  { startIndex, endIndex }: Span,
): { kind: 'none' | 'row' | 'heading' | 'new' | 'more'; startIndex: number } {
  const line = text.slice(startIndex, endIndex);
  const indent = line.match(quote)![0].length;
  let content = line.slice(indent);
  const marked = content.match(bullet)?.[0] ?? '';
  content = content.slice(marked.length);
  const hashes = content.match(heading)?.[0] ?? '';
  const at = startIndex + indent + marked.length + hashes.length;
  if (content === '' || ruler.test(content) || isSourceEntry(content))
    return { kind: 'none', startIndex: at };
  if (content.startsWith('|')) return { kind: 'row', startIndex: at };
  if (hashes !== '') return { kind: 'heading', startIndex: at };
  const isNew = marked !== '' || opensWithMarker.test(content);
  return { kind: isNew ? 'new' : 'more', startIndex: at };
}
