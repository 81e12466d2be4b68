/** What the check's last question asks a model to write before an answer that replaces the present one. */
export const newAnswerMark = 'NEW ANSWER:';

const marked = /^[\s*_#>]*new answer[\s*_]*:[\s*_]*/i;

/** A text restates the answer if this share of its words is the answer's. */
const restatedShare = 0.6;
/** An answer with more characters is long, and no text with less than this share of its characters replaces it unmarked. */
const longAnswerCharacters = 400;
const shortestShare = 0.25;

/**
 * A word or two without a figure. Such an answer shares no words with the word that replaces it, so here alone a list of words
 * tells remarks apart.
 */
const isWord = (text: string): boolean => text.length <= 30 && wordsOf(text).length <= 2 && !/\d/.test(text);

const assent =
  /^[^\p{L}]*(?:yes|ok(?:ay)?|done|right|correct|fine|good|great|sure|perfect|complete|confirmed|verified|agreed|unchanged|ja|richtig|stimmt|passt|korrekt|bestätigt|unverändert|fertig|oui|exact|confirmé|d.accord|s[ií]|(?:todo )?correcto|confirmado|de acuerdo|va bene|esatto|sim|да|はい|完了(?:です)?|是的?|好的?|确认|네)?[^\p{L}]*$/iu;

/** The answer as it stands, and what is known beside it. */
export interface Present {
  answer: string;
  question: string;
  /** What the tools have said that the check has used. */
  read: readonly string[];
}

/**
 * The answer that a text after the check's tools is; undefined if the text is a remark about the present answer. A text that is
 * not marked is an answer if it says something that the present answer does not, and either restates the rest of it with
 * another figure or source, or has most of what is new from what the check has just read. So remarks are known in any
 * language, and what is in doubt leaves the present answer.
 */
export function newAnswer(text: string, { answer, question, read }: Present): string | undefined {
  const written = text.trim();
  if (answer.trim() === '') return written || undefined;
  if (marked.test(written)) return written.replace(marked, '').trim() || undefined;
  if (isWord(answer) && isWord(written)) return assent.test(written) ? undefined : written;
  const isShort = written.length < answer.length * shortestShare;
  if (answer.length > longAnswerCharacters && isShort) return undefined;
  const isNew = restates(written, answer) || isFrom(read, written, `${question} ${answer}`);
  return isNew ? written : undefined;
}

function restates(written: string, answer: string): boolean {
  const known = new Set(wordsOf(answer));
  const words = wordsOf(written);
  const kept = words.filter((word) => known.has(word)).length;
  const isNew = (of: (text: string) => string[]) => {
    const before = new Set(of(answer));
    return of(written).some((each) => !before.has(each));
  };
  return words.length > 0 && kept >= words.length * restatedShare && (isNew(figuresOf) || isNew(citedIn));
}

function isFrom(read: readonly string[], written: string, before: string): boolean {
  const said = tellingOf(written);
  const known = tellingOf(before);
  const news = new Set([...said].filter((each) => !known.has(each)));
  // A single new word, such as "complete", may stand in any page.
  if (news.size === 0 || (said.size === 1 && figuresOf(written).length === 0)) return false;
  const found = new Set<string>();
  for (const sentence of read.flatMap((text) => text.split(/[.!?]\s|[。！？\n]/))) {
    const told = tellingOf(sentence);
    const isAboutIt = [...told].filter((each) => said.has(each) || known.has(each)).length > 1;
    for (const each of isAboutIt ? told : []) if (news.has(each)) found.add(each);
  }
  return found.size > news.size / 2;
}

/** Numbers of sources. */
const citations = /[[【［]\^?(\d[\d,;\s–-]*)[\]】］]/g;

const citedIn = (text: string): string[] =>
  [...text.matchAll(citations)].flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? []);

/** "100 %" is no figure here: it says how sure somebody is, in every language. */
const figuresOf = (text: string): string[] =>
  text.replaceAll(citations, ' ').match(/(?!100\s?%)(?<![\d.,])\d+(?:[.,]\d+)*/g) ?? [];

/** Words of scripts that write syllables or whole words as one sign are taken by two signs at a time. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+|[\p{L}\p{M}]+/gu) ?? []).flatMap(
    (word) => (isDense(word) && word.length > 2 ? pairsOf(word) : [word]),
  );

const isDense = (word: string): boolean => /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(word);

const pairsOf = (word: string): string[] =>
  Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2));

const tellingCharacters = 4;

/** The figures of a text, and its words but for the shortest, which every text has. */
const tellingOf = (text: string): Set<string> =>
  new Set([
    ...figuresOf(text),
    ...wordsOf(text).filter((word) => word.length >= tellingCharacters || isDense(word)),
  ]);
