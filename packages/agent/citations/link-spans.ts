import type { Marker } from './read-markers.ts';
import { isEscaped, type Span } from './span.ts';

interface Bracket extends Span {
  isMarker: boolean;
  isFootnote: boolean;
}

const signs = /[[\]()]/g;

/** The indent of a line on which a link is defined, with the signs of a quotation. */
const indent = /(?:^|\n)[ \t>]*$/;
const longestIndent = 20;

/** The links and images of a paragraph, and the labels of its link definitions, in the order of their beginnings. */
export function linkSpans(
  text: string,
  paragraph: Span,
  known: { code: readonly Span[]; markers: readonly Marker[] },
): Span[] {
  const { startIndex } = paragraph;
  const isMarker = new Set(known.markers.map((marker) => marker.startIndex));
  const positions = signPositions(text, paragraph, known.code);
  const closing = closingParentheses(text, positions);
  const destinations = destinationReader(text);
  const spans: Span[] = [];
  const open: number[] = [];
  let last: Bracket | undefined;
  let skipTo = startIndex;
  for (const at of positions) {
    if (at < skipTo || text[at] === '(' || text[at] === ')') continue;
    if (text[at] === '[') {
      open.push(at);
      continue;
    }
    const from = open.pop();
    if (from === undefined) continue;
    const bracket = {
      startIndex: from,
      endIndex: at + 1,
      isMarker: isMarker.has(from),
      isFootnote: text[from + 1] === '^',
    };
    const end = text[at + 1] === '(' ? closing.get(at + 1) : undefined;
    if (end !== undefined && destinations(at + 2, end)) {
      spans.push({ startIndex: from, endIndex: end + 1 });
      skipTo = end + 1;
    } else if (isReference(last, bracket)) spans.push({ startIndex: last.startIndex, endIndex: at + 1 });
    else if (text[at + 1] === ':' && opensLine(text, from, startIndex)) spans.push(bracket);
    last = bracket;
  }
  return spans.sort((a, b) => a.startIndex - b.startIndex);
}

/** `[text][1]`. Two markers in a row are two citations. */
const isReference = (last: Bracket | undefined, bracket: Bracket): last is Bracket =>
  last !== undefined &&
  last.endIndex === bracket.startIndex &&
  !last.isFootnote &&
  !bracket.isFootnote &&
  last.isMarker !== bracket.isMarker;

const opensLine = (text: string, at: number, startIndex: number): boolean =>
  at === startIndex || indent.test(text.slice(Math.max(startIndex, at - longestIndent), at));

function signPositions(text: string, { startIndex, endIndex }: Span, code: readonly Span[]): number[] {
  let next = 0;
  return [...text.slice(startIndex, endIndex).matchAll(signs)].flatMap(({ index }) => {
    const at = startIndex + index;
    while (next < code.length && code[next]!.endIndex <= at) next++;
    const inCode = next < code.length && code[next]!.startIndex <= at;
    return inCode || isEscaped(text, at) ? [] : [at];
  });
}

function closingParentheses(text: string, positions: readonly number[]): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const at of positions) {
    if (text[at] === '(') open.push(at);
    else if (text[at] === ')') {
      const from = open.pop();
      if (from !== undefined) closing.set(from, at);
    }
  }
  return closing;
}

/** Tells whether what stands between parentheses is a link's destination, with or without a title. Asked in the order of the text. */
function destinationReader(text: string): (startIndex: number, endIndex: number) => boolean {
  const nextSpace = forwardFinder(text, /\s/g);
  const nextSign = forwardFinder(text, /\S/g);
  const titleSign = forwardFinder(text, /\S/g);
  return (startIndex, endIndex) => {
    const first = nextSign(startIndex);
    if (first >= endIndex || text[first] === '<') return true;
    const space = nextSpace(first);
    if (space >= endIndex) return true;
    const title = titleSign(space);
    return title >= endIndex || `"'(`.includes(text[title]!);
  };
}

/** The next match at or after an index, for indices that only grow: no part of the text is searched twice. */
function forwardFinder(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    pattern.lastIndex = from;
    found = pattern.exec(text)?.index ?? text.length;
    return found;
  };
}
