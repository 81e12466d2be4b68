import type { Marker } from './read-markers.ts';
import { isBlank, type Span } from './span.ts';

/** The ends of sentences: signs with what closes behind them. Those of the first group need no space after them. */
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
export function sentencesOf(text: string, block: Span, markers: readonly Marker[]): Span[] {
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
