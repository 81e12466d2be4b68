import { countShared, meaningfulWords, sharedWords } from './words.ts';

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

interface Scored {
  sentence: string;
  index: number;
  shared: ReadonlySet<string>;
}

/**
 * The sentence that shares the most words with the question, and a second one that shares as many or has a word of the
 * question that the first lacks. Verbatim and in the text's order. A text that shares none is quoted from its beginning.
 */
export function findQuotes(text: string, question: string): string[] {
  const scored = scoreSentences(sentencesOf(text), meaningfulWords(question));
  const byScore = scored.toSorted(
    (a, b) => b.shared.size - a.shared.size || rank(a.sentence) - rank(b.sentence) || a.index - b.index,
  );
  const first = byScore[0];
  if (first === undefined) return [];
  const second = first.shared.size > 0 ? findSecond(byScore.slice(1), first) : undefined;
  return [first, ...(second ? [second] : [])]
    .toSorted((a, b) => a.index - b.index)
    .map(({ sentence }) => shorten(sentence, maxQuoteCharacters));
}

/** A sentence right after a heading has its words, too. A heading itself counts only in a text of headings. */
function scoreSentences(sentences: readonly string[], asked: ReadonlySet<string>): Scored[] {
  const onlyHeadings = sentences.every(isHeading);
  let heading = '';
  return sentences.flatMap((sentence, index) => {
    if (!onlyHeadings && isHeading(sentence)) {
      heading = sentence;
      return [];
    }
    const shared = sharedWords(meaningfulWords(`${heading} ${sentence}`), asked);
    heading = '';
    return [{ sentence, index, shared }];
  });
}

/** Where the first is prose, so is the second: a row of a table says little by itself. */
function findSecond(others: readonly Scored[], first: Scored): Scored | undefined {
  const fit = others.filter(({ sentence }) => rank(sentence) <= rank(first.sentence));
  const adds = ({ shared }: Scored) => shared.size - countShared(shared, first.shared);
  const [most] = fit.toSorted((a, b) => adds(b) - adds(a) || b.shared.size - a.shared.size);
  if (most !== undefined && adds(most) > 0) return most;
  return fit.find(({ shared }) => shared.size === first.shared.size);
}

const isHeading = (sentence: string): boolean => /^#+ /.test(sentence);

/** Of lines that share equally many words with the question, prose is quoted before rows of tables. */
const rank = (sentence: string): number => (sentence.startsWith('|') ? 1 : 0);

/** Cuts the text after a whole word. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const cut = text.slice(0, maxCharacters);
  const lastSpace = cut.search(/\s\S*$/);
  return (lastSpace > 0 ? cut.slice(0, lastSpace) : cut).replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}
