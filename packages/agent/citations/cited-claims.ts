import { limits } from '@errand/platform';
import { blocksOf } from './blocks.ts';
import { findMarkers } from './find-markers.ts';
import type { Marker } from './read-markers.ts';
import { sentencesOf } from './sentences.ts';
import type { Span } from './span.ts';

/** A statement of an answer, with the sources that it cites. */
export interface CitedClaim extends Span {
  /** The statement without its markers, on one line. */
  text: string;
  /** The numbers of the sources, in the order of the text, each once. */
  sources: number[];
}

/**
 * The statements that carry citations: sentences, items of lists and rows of tables, in the order of the answer. Markers that
 * stand alone belong to what stands before them. A claim has 8 sources at most, and an answer some 500 citations.
 */
export function citedClaims(answer: string): CitedClaim[] {
  const markers = findMarkers(answer);
  if (markers.length === 0) return [];
  const claims: CitedClaim[] = [];
  let last: CitedClaim | undefined;
  let citations = 0;
  for (const { unit, markers: own } of unitsOf(answer, markers)) {
    const claim = claimOf(answer, unit, own);
    if (claim) last = claim;
    else if (last) last.sources = [...new Set([...last.sources, ...sourcesOf(own)])];
    if (!last || last.sources.length === 0 || claims.at(-1) === last) continue;
    if (citations >= limits.citationsPerAnswer) break;
    claims.push(last);
    citations += Math.min(last.sources.length, limits.sourcesPerClaim);
  }
  for (const claim of claims) claim.sources = claim.sources.slice(0, limits.sourcesPerClaim);
  return claims;
}

const sourcesOf = (markers: readonly Marker[]): number[] => [
  ...new Set(markers.flatMap(({ numbers }) => numbers)),
];

function* unitsOf(answer: string, markers: readonly Marker[]): Generator<{ unit: Span; markers: Marker[] }> {
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
      yield { unit, markers: inBlock.slice(from, taken) };
    }
  }
}

const edge = /[\s|]/;
const word = /[\p{L}\p{N}]/u;
/** What may stand behind the last marker of a sentence. */
const ending = /^[\s.,;:!?…。！？｡։؟۔।|)*_]*$/;

/** Undefined if the part has no word beside its markers. */
function claimOf(answer: string, unit: Span, markers: readonly Marker[]): CitedClaim | undefined {
  const inside = [...markers];
  let { startIndex, endIndex } = unit;
  const trim = () => {
    while (startIndex < endIndex && edge.test(answer[startIndex]!)) startIndex++;
    while (endIndex > startIndex && edge.test(answer[endIndex - 1]!)) endIndex--;
  };
  trim();
  for (let marker = inside[0]; marker?.startIndex === startIndex; marker = inside[0]) {
    inside.shift();
    startIndex = marker.endIndex;
    trim();
  }
  for (let marker = inside.at(-1); marker && isAtEnd(answer, marker, endIndex); marker = inside.at(-1)) {
    inside.pop();
    endIndex = marker.startIndex;
    trim();
  }
  const text = withoutMarkers(answer, { startIndex, endIndex }, inside);
  return word.test(text) ? { startIndex, endIndex, text, sources: sourcesOf(markers) } : undefined;
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
