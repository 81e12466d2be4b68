import { sizes } from './sizes.ts';

/** The parts of a long line, cut after sentences, else between words, else anywhere but within a character. */
const partCharacters = 600;
const leastPartCharacters = 200;
const sentenceEnd = /[.!?…]["'”’»)\]]*\s+|[。！？｡]+/g;

/** The index after the first part of a line that begins at `start` and ends at `end`. */
export function endOfPart(text: string, start: number, end: number): number {
  if (end - start <= sizes.line) return end;
  const part = text.slice(start, start + partCharacters);
  let cut = 0;
  for (const { 0: signs, index } of part.matchAll(sentenceEnd)) cut = index + signs.length;
  if (cut < leastPartCharacters) cut = part.search(/\s\S*$/) + 1;
  if (cut < leastPartCharacters) cut = /[\ud800-\udbff]$/.test(part) ? partCharacters - 1 : partCharacters;
  return start + cut;
}
