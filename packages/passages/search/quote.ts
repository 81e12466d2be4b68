import { sizes } from '../split/sizes.ts';
import { termsOf } from './terms.ts';
import { matchTerms, near, queryTerms } from './wanted-terms.ts';

interface Sentence {
  start: number;
  end: number;
  /** The claim's words in it, as `matchTerms` has them. */
  terms: ReadonlySet<string>;
}

const mostCharacters = 4 * sizes.most;
const mostSentences = 3;
/** A further sentence has to add so much of what the best one has. */
const worthAdding = 0.25;
const nearWeight = 0.4;
const numberWeight = 2;
/** Shorter words weigh less: most of them are in every text. */
const fullWordCharacters = 5;

/**
 * The words of a passage that are nearest to a claim, as they stand there: a sentence, an item or a row, or up to three that
 * follow each other. Undefined if the passage has no word of the claim. A snippet may be longer than passages; its rest is not read.
 */
export function quoteOf(text: string, claim: string): string | undefined {
  const passage = text.slice(0, mostCharacters);
  const match = matchTerms(queryTerms(claim));
  const sentences = sentencesOf(
    passage,
    (text) => new Set(termsOf(text).flatMap((word) => (isSmall.test(word) ? [] : (match(word) ?? [])))),
  );
  const weight = weightIn(sentences);
  const single = Math.max(0, ...sentences.map(({ terms }) => weight(terms)));
  let best = { value: 0, start: 0, end: 0 };
  for (const [first, { start }] of sentences.entries())
    for (const [more, { end }] of sentences.slice(first, first + mostSentences).entries()) {
      const terms = new Set(sentences.slice(first, first + more + 1).flatMap((each) => [...each.terms]));
      const value = weight(terms) - more * worthAdding * single;
      if (value > best.value) best = { value, start, end };
    }
  return best.value > 0 ? passage.slice(best.start, best.end) : undefined;
}

/** What words are worth: those that few of the sentences have, numbers above all. */
function weightIn(sentences: readonly Sentence[]): (terms: ReadonlySet<string>) => number {
  const counts = new Map<string, number>();
  for (const { terms } of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (term: string): number => {
    const rarity = Math.log(1 + sentences.length / counts.get(term)!);
    if (term.startsWith(near)) return rarity * nearWeight;
    return rarity * (/\d/.test(term) ? numberWeight : Math.min(1, term.length / fullWordCharacters));
  };
  return (terms) => [...terms].reduce((sum, term) => sum + weightOf(term), 0);
}

/** Blanks between words, and the places behind full stops that have none after them. */
const gaps = /\s+|(?<=[。！？｡])(?=[^\s。！？｡])/g;
const endsSentence = /[.!?…。！？｡।]["'”’»)\]*_]{0,4}$/;
const opening = /^[\s>|]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+)?/;
const isEdge = /[\s|]/;
/** `Dr.`, or an initial. */
const isAbbreviation = /(?:^|[\s(])\p{Lu}\p{Ll}{0,2}\.$/u;
const isNumbering = /^[^\p{L}\p{N}]*\d{0,9}[.)]?$/u;
/** Words that say nothing by themselves, in whatever language has such letters. */
const isSmall = /^[a-z]{1,2}$/;

function isSentenceEnd(text: string, from: number, index: number): boolean {
  const last = text.slice(Math.max(from, index - 5), index);
  const first = text.slice(from, Math.min(index, from + 20));
  return endsSentence.test(last) && !isAbbreviation.test(last) && !isNumbering.test(first);
}

function sentencesOf(text: string, termsIn: (text: string) => Set<string>): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const endAt = (index: number) => {
    const line = text.slice(from, index);
    const start = from + line.match(opening)![0].length;
    let end = index;
    while (end > start && isEdge.test(text[end - 1]!)) end--;
    sentences.push({ start, end, terms: termsIn(text.slice(start, end)) });
  };
  for (const { 0: gap, index } of text.matchAll(gaps)) {
    const next = index + gap.length;
    // A line that goes on in lower case is one that was only broken.
    if (/^\p{Ll}/u.test(text.slice(next, next + 2))) continue;
    if (!gap.includes('\n') && !isSentenceEnd(text, from, index)) continue;
    endAt(index);
    from = next;
  }
  endAt(text.length);
  return sentences;
}
