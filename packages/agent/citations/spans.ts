/** A part of a text, in UTF-16 units; the end is exclusive. */
export interface Span {
  startIndex: number;
  endIndex: number;
}

/** True if an odd number of backslashes stands before the index. */
export function isEscaped(text: string, index: number): boolean {
  let from = index;
  while (from > 0 && text[from - 1] === '\\') from--;
  return (index - from) % 2 === 1;
}

export const isBlank = (text: string, { startIndex, endIndex }: Span): boolean =>
  text.slice(startIndex, endIndex).trim() === '';

/** The bounds keep lines of spaces cheap. */
const fenceLine = /^[ \t>]{0,40}(?:[-*+]|\d{1,9}[.)])?[ \t>]{0,40}(`{3,}|~{3,})([\s\S]*)$/;

/**
 * The fenced blocks of a markdown text, with their fences. A block that is not closed lasts to the end of the text.
 */
export function fencedBlocks(text: string): Span[] {
  const blocks: Span[] = [];
  let open: { startIndex: number; fence: string } | undefined;
  for (const { startIndex, endIndex } of linesOf(text)) {
    const found = text.slice(startIndex, endIndex).match(fenceLine);
    if (!found) continue;
    const [, fence = '', rest = ''] = found;
    if (!open) {
      if (fence[0] === '~' || !rest.includes('`')) open = { startIndex, fence };
    } else if (fence[0] === open.fence[0] && fence.length >= open.fence.length && rest.trim() === '') {
      blocks.push({ startIndex: open.startIndex, endIndex });
      open = undefined;
    }
  }
  if (open) blocks.push({ startIndex: open.startIndex, endIndex: text.length });
  return blocks;
}

/** The lines of a text without what ends them. */
export function* linesOf(text: string): Generator<Span> {
  for (let startIndex = 0; startIndex <= text.length; ) {
    const found = text.indexOf('\n', startIndex);
    const endIndex = found === -1 ? text.length : found;
    yield { startIndex, endIndex };
    startIndex = endIndex + 1;
  }
}

/** The inline code of one paragraph: from a run of backticks to the next run of the same length. */
export function inlineCode(text: string, { startIndex, endIndex }: Span): Span[] {
  const runs = [...text.slice(startIndex, endIndex).matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
    startIndex: startIndex + index,
    endIndex: startIndex + index + length,
  }));
  const byLength = Map.groupBy(runs.keys(), (i) => runs[i]!.endIndex - runs[i]!.startIndex);
  const next = new Map<number, number>();
  const code: Span[] = [];
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i]!;
    if (isEscaped(text, run.startIndex)) continue;
    const length = run.endIndex - run.startIndex;
    const same = byLength.get(length)!;
    let at = next.get(length) ?? 0;
    while (at < same.length && same[at]! <= i) at++;
    next.set(length, at);
    const closing = same[at];
    if (closing === undefined) continue;
    code.push({ startIndex: run.startIndex, endIndex: runs[closing]!.endIndex });
    i = closing;
  }
  return code;
}

const mathSigns = /\\[()[\]]|\\[\s\S]|\$\$?/g;
const closingOf: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]' };

/** The formulas of one paragraph: `$..$`, `$$..$$`, `\(..\)`, `\[..\]`. Sums of money are none. */
export function mathSpans(text: string, { startIndex, endIndex }: Span, code: readonly Span[]): Span[] {
  const open = new Map<string, number>();
  const spans: Span[] = [];
  let next = 0;
  for (const { index, 0: sign } of text.slice(startIndex, endIndex).matchAll(mathSigns)) {
    const at = startIndex + index;
    while (next < code.length && code[next]!.endIndex <= at) next++;
    if (next < code.length && code[next]!.startIndex <= at) continue;
    const from = open.get(sign);
    if (from !== undefined && (sign !== '$' || closesMath(text, at))) {
      spans.push({ startIndex: from, endIndex: at + sign.length });
      open.clear();
    } else if (sign in closingOf) open.set(closingOf[sign]!, at);
    else if (sign === '$$' || (sign === '$' && opensMath(text, at))) open.set(sign, at);
  }
  return spans;
}

const opensMath = (text: string, at: number): boolean =>
  !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '') && /\S/.test(text[at + 1] ?? '');

const closesMath = (text: string, at: number): boolean => /^\S\$(?!\d)/.test(text.slice(at - 1, at + 2));
