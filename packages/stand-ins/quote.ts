import { countShared, meaningfulWords } from './words.ts';

const maxQuoteCharacters = 600;

/** A line in lower case continues the sentence before it. The full stop after a list's number ends no sentence. */
const sentenceEnd =
  /(?<=[.!?]["'”’)\]]?)(?<!(?:^|\n)[ \t]{0,9}\d{1,3}[.)])\s+(?=\S)|\n\s*\n|\n(?!\s*\p{Ll})/u;

export function sentencesOf(text: string): string[] {
  return text
    .split(sentenceEnd)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The one or two sentences that share the most words with the question, verbatim and in the text's order. */
export function findQuotes(text: string, question: string): string[] {
  const asked = meaningfulWords(question);
  const scored = sentencesOf(text).map((sentence, index) => ({
    sentence,
    index,
    score: countShared(meaningfulWords(sentence), asked),
  }));
  const best = scored.toSorted(
    (a, b) => b.score - a.score || headingRank(a.sentence) - headingRank(b.sentence) || a.index - b.index,
  );
  const top = best[0];
  if (top === undefined) return [];
  const equals = best.filter(({ score }) => score === top.score && score > 0).slice(0, 2);
  return (equals.length > 0 ? equals : [top]).map(({ sentence }) => shorten(sentence, maxQuoteCharacters));
}

/** If two lines share equally many words with the question, the one that is no heading is quoted. */
const headingRank = (sentence: string): number => (sentence.startsWith('#') ? 1 : 0);

export const inQuotationMarks = (quotes: readonly string[]): string =>
  quotes.map((quote) => `"${quote}"`).join(' and ');

/** Cuts the text after a whole word. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const cut = text.slice(0, maxCharacters);
  const lastSpace = cut.search(/\s\S*$/);
  return (lastSpace > 0 ? cut.slice(0, lastSpace) : cut).replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}
