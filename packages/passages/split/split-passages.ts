import type { CutPassage, Place } from '../passage.ts';
import { type Piece, readPieces, strengths } from './read-pieces.ts';
import { sizes } from './sizes.ts';

/**
 * Cuts a text into passages, at its headings, places, paragraphs, items, rows and sentences, in this order. `heading` is
 * repeated in every passage but the first: the names of columns in a file of rows.
 */
export function* splitPassages(
  markdown: string,
  { places = [], heading = '' }: { places?: readonly Place[]; heading?: string } = {},
): Generator<CutPassage> {
  const lead = heading.length <= sizes.repeated && heading ? `${heading}\n` : '';
  let sourceStart = 0;
  let number = 1;
  let open: Piece[] = [];
  for (const piece of readPieces(markdown, places, lead)) {
    for (let count = piecesToEnd(open, piece); count > 0; count = piecesToEnd(open, piece)) {
      const next = open[count] ?? piece;
      yield toPassage(markdown, open.slice(0, count), { number, sourceStart, sourceEnd: next.start });
      number++;
      sourceStart = next.start;
      open = open.slice(count);
    }
    open.push(piece);
  }
  if (open.length > 0) yield toPassage(markdown, open, { number, sourceStart, sourceEnd: markdown.length });
}

/** How many of the open pieces must be a passage of their own before `next` is added; 0 if it may join them. */
function piecesToEnd(open: readonly Piece[], next: Piece): number {
  const first = open[0];
  if (!first) return 0;
  const length = next.start - first.start;
  if (length >= sizes.least && next.strength === strengths.section) return open.length;
  if (length >= sizes.wanted && next.strength >= strengths.item) return open.length;
  const room = sizes.most - first.lead.length - next.tail.length;
  return next.end - first.start > room ? bestCut(open, next) : 0;
}

/** The cut before the strongest piece, among equals the one that is nearest to the wanted length. */
function bestCut(open: readonly Piece[], next: Piece): number {
  const start = open[0]!.start;
  let best = open.length;
  let strength = -1;
  for (let count = 1; count <= open.length; count++) {
    const piece = open[count] ?? next;
    const length = piece.start - start;
    if (length < sizes.least || piece.strength < strength) continue;
    const distance = Math.abs(length - sizes.wanted);
    const bestDistance = Math.abs((open[best] ?? next).start - start - sizes.wanted);
    if (piece.strength > strength || distance <= bestDistance) best = count;
    strength = piece.strength;
  }
  return best;
}

function toPassage(
  text: string,
  pieces: readonly Piece[],
  { number, sourceStart, sourceEnd }: { number: number; sourceStart: number; sourceEnd: number },
): CutPassage {
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  const place = placeOf(pieces);
  const begins = pieces.flatMap(({ heading }) => heading ?? []);
  return {
    number,
    headings: first.headings.map(({ title }) => title),
    place,
    text: `${first.lead}${text.slice(first.start, last.end)}${last.tail}`,
    source: text.slice(sourceStart, sourceEnd),
    begins,
  };
}

function placeOf(pieces: readonly Piece[]): string | undefined {
  const first = pieces.find(({ place }) => place !== undefined)?.place;
  const last = pieces.at(-1)?.place;
  if (first !== undefined) return first === last ? first : `${first} to ${last}`;
  return pieces.find(({ stamp }) => stamp !== undefined)?.stamp;
}
