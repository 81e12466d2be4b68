import { limits } from '@errand/platform';
import { findMarkers, type Marker } from './markers.ts';
import { fencedBlocks, isBlank, linesOf, type Span } from './spans.ts';

/** A statement of an answer, with the sources that it cites. */
export interface CitedClaim extends Span {
  /** The statement without its markers, on one line. */
  text: string;
  /** The numbers of the sources, in the order of the text, each once. */
  sources: number[];
}

/**
 * The statements that carry citations: sentences, items of lists and rows of tables, in the order of the answer.
 * Markers that stand alone belong to the statement before them. A claim has 8 sources at most, and an answer some
 * 500 citations. With `known`, only these numbers are cited.
 */
export function citedClaims(answer: string, known?: ReadonlySet<number>): CitedClaim[] {
  const markers = findMarkers(answer, known);
  if (markers.length === 0) return [];
  let citations = 0;
  return statementsOf(answer, markers).flatMap(({ isHeading: _, ...claim }) => {
    if (claim.sources.length === 0 || citations >= limits.citationsPerAnswer) return [];
    const sources = claim.sources.slice(0, limits.sourcesPerClaim);
    citations += sources.length;
    return [{ ...claim, sources }];
  });
}

/** A claim, or what could be one and cites nothing. */
interface Statement extends CitedClaim {
  isHeading: boolean;
}

/** Every sentence, item of a list and row of a table, with all that it cites. */
export function statementsOf(answer: string, markers: readonly Marker[]): Statement[] {
  const statements: Statement[] = [];
  for (const { unit, isHeading, markers: own } of unitsOf(answer, markers)) {
    const claim = claimOf(answer, unit, own);
    const last = statements.at(-1);
    if (claim) statements.push({ ...claim, isHeading });
    else if (last) last.sources = [...new Set([...last.sources, ...sourcesOf(own)])];
  }
  return statements;
}

const sourcesOf = (markers: readonly Marker[]): number[] => [
  ...new Set(markers.flatMap(({ numbers }) => numbers)),
];

interface Unit {
  unit: Span;
  isHeading: boolean;
  markers: Marker[];
}

function* unitsOf(answer: string, markers: readonly Marker[]): Generator<Unit> {
  let next = 0;
  const upTo = (endIndex: number): Marker[] => {
    const from = next;
    while (next < markers.length && markers[next]!.startIndex < endIndex) next++;
    return markers.slice(from, next);
  };
  for (const block of blocksOf(answer)) {
    upTo(block.startIndex);
    const inBlock = upTo(block.endIndex);
    const units = block.isRow ? [block] : sentencesOf(answer, block, inBlock);
    let taken = 0;
    for (const unit of units) {
      const from = taken;
      while (taken < inBlock.length && inBlock[taken]!.startIndex < unit.endIndex) taken++;
      yield { unit, isHeading: block.isHeading, markers: inBlock.slice(from, taken) };
    }
  }
}

const edge = /[\s|]/;
const word = /[\p{L}\p{N}]/u;
/** What a model meant as a marker of a source that there is not. */
const bracketedNumbers = /\[\^?\d[\d,;\- \u2013]*\]/g;
/** Characters that may follow the last marker of a sentence. */
const ending = /^[\s.,;:!?…。！？｡։؟۔।|)*_]*$/;

/** Undefined if the part has no word beside its markers. */
function claimOf(answer: string, unit: Span, markers: readonly Marker[]): CitedClaim | undefined {
  // Indices instead of `shift`, which moves all the rest of a long list.
  let [first, end] = [0, markers.length];
  let { startIndex, endIndex } = unit;
  const trim = () => {
    while (startIndex < endIndex && edge.test(answer[startIndex]!)) startIndex++;
    while (endIndex > startIndex && edge.test(answer[endIndex - 1]!)) endIndex--;
  };
  trim();
  for (; first < end && markers[first]!.startIndex === startIndex; first++) {
    startIndex = markers[first]!.endIndex;
    trim();
  }
  for (; first < end && isAtEnd(answer, markers[end - 1]!, endIndex); end--) {
    endIndex = markers[end - 1]!.startIndex;
    trim();
  }
  const text = withoutMarkers(answer, { startIndex, endIndex }, markers.slice(first, end));
  return word.test(text.replaceAll(bracketedNumbers, ''))
    ? { startIndex, endIndex, text, sources: sourcesOf(markers) }
    : undefined;
}

const longestEnding = 20;

const isAtEnd = (answer: string, marker: Marker, endIndex: number): boolean =>
  endIndex - marker.endIndex <= longestEnding && ending.test(answer.slice(marker.endIndex, endIndex));

function withoutMarkers(answer: string, { startIndex, endIndex }: Span, inside: readonly Marker[]): string {
  const parts: string[] = [];
  let from = startIndex;
  for (const marker of inside) {
    parts.push(answer.slice(from, marker.startIndex).trimEnd());
    from = marker.endIndex;
  }
  parts.push(answer.slice(from, endIndex));
  return parts.join('').replace(/[ \t\r]{0,40}\n[ \t>]{0,40}/g, ' ');
}

/** A paragraph, a heading, a list item or a row of a table, without the signs before it. */
interface Block extends Span {
  isRow: boolean;
  /** A heading, or the first row of a table. */
  isHeading: boolean;
  /** True if the block may be an entry of a list of sources. */
  opensWithMarker: boolean;
}

interface Line {
  kind: 'ruler' | 'row' | 'heading' | 'new' | 'more';
  /** The index at which the block's text begins. */
  startIndex: number;
  opensWithMarker: boolean;
}

const quote = /^[ \t>]*/;
const bullet = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const heading = /^#{1,6}[ \t]+/;
const leadingMarker = /^(?:\[\^?\d[\d,;\- \u2013]*\]:?|[【［]\d[\d,;\- \u2013，、；]*[】］]) *[^\s[【［]/;
const address = /https?:\/\//i;
export const endsSentence = /[.!?。！？][ \t\r]{0,10}$/;
const ruler = /^[-|:= \t\r]+$/;

/** The blocks of a markdown text that can make claims, in its order. Fenced code and lists of sources have none. */
function blocksOf(text: string): Block[] {
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
    const before = blocks.at(-1);
    if (kind === 'ruler' && before?.endIndex === line.startIndex - 1) before.isHeading = true;
    if (kind === 'ruler') open = undefined;
    else if (open && kind === 'more') open.endIndex = line.endIndex;
    else {
      const block = {
        ...read,
        endIndex: line.endIndex,
        isRow: kind === 'row',
        isHeading: kind === 'heading',
      };
      blocks.push(block);
      open = kind === 'row' || kind === 'heading' ? undefined : block;
    }
  }
  return blocks.filter((block, i) => !isSource(text, block, [blocks[i - 1], blocks[i + 1]]));
}

/**
 * True if the block is an entry of a list of sources, which makes no claim: it has an address, or stands among such
 * entries.
 */
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

/** The ends of sentences: signs with what closes behind them. The signs of the first group need no space after them. */
const ends = /([。！？｡։؟۔।]+[」』）”’"'*_]*)|[.!?…]+[)\]”’»"'*_]{0,8}/g;

/** A dot after one of these, or after a single letter, ends no sentence. */
const abbreviation =
  /(?:^|[\s([„“"'])(?:\p{L}|Dr|Prof|Mr|Mrs|Ms|St|No|Nr|Fig|Abb|cf|vgl|vs|ca|approx|bzw|e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|Inc|Ltd|Co|Jr|Sr|al|Art|Abs|p|pp|S)$/iu;
const longestAbbreviation = 12;

/** A day before its month, as in `3. Mai`. */
const day = /(?:^|\D)\d{1,2}$/;
const month = /^\. (?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/;

/**
 * The sentences of a block, each with the markers that follow it. `markers` has those of the block, in its order.
 */
function sentencesOf(text: string, block: Span, markers: readonly Marker[]): Span[] {
  const sentences: Span[] = [];
  let from = block.startIndex;
  let next = 0;
  for (const found of text.slice(block.startIndex, block.endIndex).matchAll(ends)) {
    const sign = block.startIndex + found.index;
    if (sign < from) continue;
    while (next < markers.length && markers[next]!.endIndex <= sign) next++;
    if (next < markers.length && markers[next]!.startIndex <= sign) continue;
    let end = sign + found[0].length;
    const needsSpace = found[1] === undefined;
    const signEnd = end;
    // Markers behind the sign belong to the sentence.
    for (; next < markers.length && isSpace(text, end, markers[next]!.startIndex); next++)
      end = markers[next]!.endIndex;
    const isDot = found[0][0] === '.';
    if (needsSpace && !isBoundary(text, { signEnd, end, last: block.endIndex })) continue;
    if (isDot && end === signEnd && isAbbreviated(text, from, sign)) continue;
    sentences.push({ startIndex: from, endIndex: end });
    from = end;
  }
  const rest = { startIndex: from, endIndex: block.endIndex };
  return isBlank(text, rest) ? sentences : [...sentences, rest];
}

const longestGap = 40;

const isSpace = (text: string, from: number, to: number): boolean =>
  to >= from && to - from <= longestGap && text.slice(from, to).trim() === '';

function isBoundary(
  text: string,
  { signEnd, end, last }: { signEnd: number; end: number; last: number },
): boolean {
  if (end >= last) return true;
  const after = text.slice(end, end + longestGap);
  if (end === signEnd && !/^\s/.test(after)) return false;
  return !/^\s*\p{Ll}/u.test(after);
}

const isAbbreviated = (text: string, from: number, sign: number): boolean =>
  isAbbreviation(text.slice(Math.max(from, sign - longestAbbreviation), sign), text.slice(sign, sign + 6));

const isAbbreviation = (before: string, after: string): boolean =>
  abbreviation.test(before) || (day.test(before) && month.test(after));
