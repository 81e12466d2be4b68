import { jsonValues } from './json-values.ts';
import { fencedBlocks, inlineCode, isBlank, isEscaped, linesOf, mathSpans, type Span } from './spans.ts';

/**
 * The citation markers of a markdown text, in its order: `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1】`, `［1］`. Brackets in code,
 * JSON, math and links are not markers, nor are those of an index, such as `x[1] = 2`. With `known`, markers have only these
 * numbers: what has none of them is no marker.
 */
export function findMarkers(answer: string, known?: ReadonlySet<number>): Marker[] {
  const found = paragraphsOf(answer).flatMap((paragraph) => {
    const markers = readMarkers(answer, paragraph);
    if (markers.length === 0) return [];
    const code = inlineCode(answer, paragraph);
    const links = linkSpans(answer, paragraph, { code, markers });
    const math = mathSpans(answer, paragraph, code);
    return withoutIndices(answer, outside(outside(outside(markers, code), links), math));
  });
  const markers = found.length === 0 ? [] : outside(found, jsonValues(answer));
  if (!known) return markers;
  return markers.flatMap((marker) => {
    const numbers = marker.numbers.filter((each) => known.has(each));
    return numbers.length === 0 ? [] : [{ ...marker, numbers }];
  });
}

/** The text between blank lines and fenced blocks. */
function paragraphsOf(text: string): Span[] {
  const fences = fencedBlocks(text);
  const paragraphs: Span[] = [];
  let open: Span | undefined;
  let fence = 0;
  for (const line of linesOf(text)) {
    while (fence < fences.length && fences[fence]!.endIndex < line.startIndex) fence++;
    const inFence = fence < fences.length && fences[fence]!.startIndex <= line.startIndex;
    if (inFence || isBlank(text, line)) open = undefined;
    else if (open) open.endIndex = line.endIndex;
    else {
      open = { ...line };
      paragraphs.push(open);
    }
  }
  return paragraphs;
}

/** The parts that begin in none of the spans. Both are in the order of the text. */
function outside<Part extends Span>(parts: readonly Part[], spans: readonly Span[]): Part[] {
  let end = 0;
  let next = 0;
  return parts.filter(({ startIndex }) => {
    for (; next < spans.length && spans[next]!.startIndex <= startIndex; next++)
      end = Math.max(end, spans[next]!.endIndex);
    return startIndex >= end;
  });
}

export interface Marker extends Span {
  /** The numbers of the sources, in the marker's order, each once. */
  numbers: number[];
}

/** Longer numbers are years and amounts. */
const number = '[1-9]\\d{0,2}';
const item = `${number}(?:\\s?[-\u2013]\\s?${number})?`;
const list = ` ?${item}(?: ?[,;，、；] ?${item})* ?`;
const markerPattern = new RegExp(`\\[\\^?${list}\\]|【${list}】|［${list}］`, 'g');

/** A wider range is not a list of sources. */
const widestRange = 32;

/** Everything in a part of the text that looks like a marker, wherever it stands. */
function readMarkers(text: string, { startIndex, endIndex }: Span): Marker[] {
  return [...text.slice(startIndex, endIndex).matchAll(markerPattern)].flatMap((found) => {
    const start = startIndex + found.index;
    const numbers = numbersOf(found[0]);
    if (!numbers || isEscaped(text, start) || isInAddress(text, start, start + found[0].length)) return [];
    return [{ startIndex: start, endIndex: start + found[0].length, numbers }];
  });
}

function numbersOf(marker: string): number[] | undefined {
  const numbers = new Set<number>();
  for (const text of marker.replaceAll(/[^\d,;，、；\-\u2013]/g, '').split(/[,;，、；]/)) {
    const [first = 0, last = first] = text.split(/[-\u2013]/).map(Number);
    if (last < first || last - first >= widestRange) return undefined;
    for (let each = first; each <= last; each++) numbers.add(each);
  }
  return [...numbers];
}

/** Names before the brackets of an index. Other scripts write their markers without a space before them. */
const name = /[\p{Script=Latin}\p{Script=Greek}_$][\p{Script=Latin}\p{Script=Greek}\p{M}\d_$]*$/u;
const longestName = 40;

/** Names that only formulas and programs have. */
const codeName = /^.$|_|\$|\p{Ll}\p{Lu}/u;

/** What may follow the last marker of a sentence, a part of it, or a cell. */
const afterMarkers = /^[ \t]*(?:[.,;:!?…)\]}»”’"'*_]+(?=[\s|]|$)|\r?\n|\||$)/;
const longestAfter = 40;

/** The markers but for those that are glued to a name with more text after them: `x[1] = 2`, `a[1][2]`. */
function withoutIndices(text: string, markers: readonly Marker[]): Marker[] {
  const kept: Marker[] = [];
  for (let i = 0; i < markers.length; ) {
    const { startIndex } = markers[i]!;
    let next = i + 1;
    while (next < markers.length && isGap(text, markers[next - 1]!.endIndex, markers[next]!.startIndex))
      next++;
    const end = markers[next - 1]!.endIndex;
    const named = text.slice(Math.max(0, startIndex - longestName), startIndex).match(name)?.[0];
    const isEnd = afterMarkers.test(text.slice(end, end + longestAfter));
    const isIndex = named !== undefined && !(isEnd && (next === i + 1 || !codeName.test(named)));
    if (!isIndex) for (const marker of markers.slice(i, next)) kept.push(marker);
    i = next;
  }
  return kept;
}

const isGap = (text: string, from: number, to: number): boolean =>
  to - from <= longestAfter && /^[ \t]*$/.test(text.slice(from, to));

const longestAddress = 300;

/** Whether an address goes on behind the brackets, such as `https://example.com/?row[1]=2`. */
function isInAddress(text: string, startIndex: number, endIndex: number): boolean {
  if (!/[\w=&%/#]/.test(text[endIndex] ?? '')) return false;
  return /https?:\/\/\S*$/i.test(text.slice(Math.max(0, startIndex - longestAddress), startIndex));
}

interface Bracket extends Span {
  isMarker: boolean;
  isFootnote: boolean;
}

const signs = /[[\]()]/g;

/** The indent of a line on which a link is defined, with the signs of a quotation. */
const indent = /(?:^|\n)[ \t>]*$/;
const longestIndent = 20;

/** The links and images of a paragraph, and the labels of its link definitions, in the order of their beginnings. */
function linkSpans(
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
