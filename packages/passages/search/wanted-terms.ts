import { termsOf } from './terms.ts';

/** The most words of a query that are searched for: the first different ones. */
const mostTerms = 128;
/** The characters in which the forms of a word must agree, and the share of the longer form. */
const stemCharacters = 4;
const stemShare = 0.65;
const keptAnswers = 100_000;

/** Marks a word that is another form of one that was asked for. */
export const near = '~';

/** The terms that a query asks for, each followed by the mark of its other forms. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  for (const term of termsOf(query.slice(0, 20_000))) {
    terms.add(term);
    if (terms.size >= mostTerms) break;
  }
  return [...terms].flatMap((term) => [term, near + term]);
}

/**
 * Maps a word of the text to the term of a query that it matches, so that the index holds only such words. Undefined if it
 * matches none.
 */
export function matchTerms(terms: Iterable<string>): (word: string) => string | undefined {
  const asked = new Set<string>();
  const byStart = new Map<string, string[]>();
  for (const term of terms) {
    if (term.startsWith(near) || asked.has(term)) continue;
    asked.add(term);
    const start = term.slice(0, stemCharacters);
    byStart.set(start, [...(byStart.get(start) ?? []), term]);
  }
  const answers = new Map<string, string | undefined>();
  const match = (word: string): string | undefined => {
    if (asked.has(word)) return word;
    const alike = byStart.get(word.slice(0, stemCharacters))?.find((term) => isFormOf(word, term));
    return alike && near + alike;
  };
  return (word) => {
    const known = answers.get(word);
    if (known !== undefined || answers.has(word)) return known;
    const answer = match(word);
    if (answers.size < keptAnswers) answers.set(word, answer);
    return answer;
  };
}

/** Numbers have no other forms. */
function isFormOf(one: string, other: string): boolean {
  const shortest = Math.min(one.length, other.length);
  const longest = Math.max(one.length, other.length);
  if (shortest < stemCharacters || /\d/.test(one)) return false;
  let same = 0;
  while (same < shortest && one[same] === other[same]) same++;
  return same >= stemCharacters && same >= longest * stemShare;
}
