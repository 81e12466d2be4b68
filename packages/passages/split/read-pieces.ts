import type { Heading, Place } from '../passage.ts';
import { endOfPart } from './cut-line.ts';
import { isDivider, type ReadLine, readLine } from './line.ts';
import { sizes } from './sizes.ts';

/** How well a passage may begin with a piece; none of the lower ones is cut while a higher one is near. */
export const strengths = { within: 0, sentence: 1, line: 2, item: 3, paragraph: 4, section: 5 } as const;

/** A part of a text that no passage cuts: a line, or a sentence of a long one. */
export interface Piece {
  start: number;
  /** After its last character, without line ends. */
  end: number;
  strength: number;
  headings: readonly Heading[];
  heading?: Heading;
  place?: string;
  stamp?: string;
  /** What a passage that begins here repeats, such as the heading of its table. */
  lead: string;
  /** What a passage that ends here lacks, such as the end of code. */
  tail: string;
}

interface Position {
  headings: readonly Heading[];
  /** The line that opened the code, and its signs. */
  code: { line: string; signs: string } | undefined;
  tableHeading: string | undefined;
  stamp: string | undefined;
  place: number;
  afterBlank: boolean;
}

/** The pieces of a text in their order. `lead` is repeated in every passage but the first, such as the names of columns. */
export function* readPieces(text: string, places: readonly Place[], lead: string): Generator<Piece> {
  const position: Position = {
    headings: [],
    code: undefined,
    tableHeading: undefined,
    stamp: undefined,
    place: -1,
    afterBlank: false,
  };
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    if (isBlank(text, start, end)) {
      position.afterBlank = true;
      position.tableHeading = undefined;
    } else yield* readLinePieces(text, { start, end }, position, { places, lead });
    start = end + 1;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  // Most lines are told by their first character.
  if (start === end || text.charCodeAt(start) > 0x20) return start === end;
  return !/\S/.test(text.slice(start, end));
}

function* readLinePieces(
  text: string,
  { start, end }: { start: number; end: number },
  position: Position,
  { places, lead }: { places: readonly Place[]; lead: string },
): Generator<Piece> {
  const line = position.code ? codeLine(text, start, end, position.code.signs) : readLine(text, start, end);
  const isNewPlace = passPlaces(position, places, start);
  const strength = isNewPlace ? strengths.section : strengthOf(line, position);
  const { code } = position;
  const repeated = code ? `${code.line}\n` : tableLead(text, { start, end }, line, position);
  if (line.heading) position.headings = below(position.headings, line.heading);
  if (line.stamp) position.stamp = line.stamp;
  if (line.kind === 'fence') position.code = code ? undefined : openCode(text, start, end, line.fence!);
  position.afterBlank = false;
  const place = places[position.place]?.name;
  const shared = {
    headings: position.headings,
    lead: repeated || (start > 0 ? lead : ''),
    tail: position.code ? `\n${position.code.signs}` : '',
    place,
    stamp: position.stamp,
  };
  let from = start;
  while (from < end) {
    const isFirst = from === start;
    const to = endOfPart(text, from, end);
    const own = isFirst ? { strength, heading: line.heading } : { strength: strengths.sentence };
    yield { start: from, end: to, ...shared, ...own };
    from = to;
  }
}

/** Within code, only its end counts. */
function codeLine(text: string, start: number, end: number, signs: string): ReadLine {
  const line = readLine(text, start, end);
  const closes = line.fence?.startsWith(signs) && end - start < sizes.line;
  return closes ? line : { kind: 'text' };
}

function openCode(text: string, start: number, end: number, signs: string) {
  const line = text.slice(start, end).trim();
  return {
    line: line.length <= sizes.headingTitle ? line : signs.slice(0, sizes.headingTitle),
    signs: signs.slice(0, sizes.headingTitle),
  };
}

/** Moves to the place of `start`. Returns whether it is another one than before. */
function passPlaces(position: Position, places: readonly Place[], start: number): boolean {
  const before = position.place;
  for (let next = places[before + 1]; next && next.start <= start; next = places[position.place + 1])
    position.place++;
  return position.place !== before;
}

function strengthOf({ kind }: ReadLine, { code, afterBlank, tableHeading }: Position): number {
  if (code) return kind === 'fence' ? strengths.within : strengths.line;
  if (kind === 'heading') return strengths.section;
  if (afterBlank) return strengths.paragraph;
  if (kind === 'row') return tableHeading === undefined ? strengths.within : strengths.item;
  return kind === 'text' ? strengths.line : strengths.item;
}

/** The heading that a row's passage repeats. The heading of a new table is kept for its rows. */
function tableLead(
  text: string,
  { start, end }: { start: number; end: number },
  { kind }: ReadLine,
  position: Position,
): string {
  const { tableHeading } = position;
  if (kind !== 'row') {
    position.tableHeading = undefined;
    return '';
  }
  if (tableHeading !== undefined) return tableHeading;
  if (!isDivider(text, start, end)) return '';
  const before = text.lastIndexOf('\n', start - 2) + 1;
  const heading = start > 0 && text[before] === '|' ? text.slice(before, end) : '';
  position.tableHeading = heading.length <= sizes.repeated ? heading && `${heading}\n` : '';
  return '';
}

function below(headings: readonly Heading[], heading: Heading): readonly Heading[] {
  return [...headings.filter(({ level }) => level < heading.level), heading];
}
