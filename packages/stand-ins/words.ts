const fillerWords = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my ' +
    'of on or our please should so than that the their them then there these they this to us was we were what when ' +
    'where which who why will with would you your'
  ).split(' '),
);

function stemOf(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ies')) return word.slice(0, -3) + 'y';
  if (word.length > 4 && /(?:ed|es)$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}

/** The distinct words of a text without filler words, in lower case, cut to a crude stem. */
export function meaningfulWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !fillerWords.has(word)).map(stemOf));
}

export const sharedWords = (words: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
  new Set([...words].filter((word) => others.has(word)));

export const countShared = (words: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  sharedWords(words, others).size;

/** Counts four bytes of UTF-8 as one token. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
