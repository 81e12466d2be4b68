import { withFewMarks } from '@errand/text';

const ascii = /^[\x00-\x7f]*$/;
const word = /[\p{L}\p{N}\p{M}]+/gu;
const asciiWord = /[a-z0-9]+/g;
/** Accents of Latin, Greek and Cyrillic letters, and the vowel signs of Hebrew and Arabic, which are often left out. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g;
/** Scripts that put no blanks between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const hasUnspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;

/** The words of a text, in lower case and without accents. Scripts without blanks give each pair of characters. */
export function termsOf(text: string): string[] {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower.match(asciiWord) ?? [];
  const words = withFewMarks(lower).normalize('NFKD').replace(accents, '').normalize('NFC').match(word) ?? [];
  return hasUnspaced.test(lower) ? words.flatMap(pairsOf) : words;
}

function pairsOf(term: string): string[] {
  if (!hasUnspaced.test(term)) return [term];
  const terms = term.split(unspaced).filter(Boolean);
  for (const [run] of term.matchAll(unspaced)) {
    const characters = Array.from(run);
    if (characters.length === 1) terms.push(run);
    for (let index = 1; index < characters.length; index++)
      terms.push(`${characters[index - 1]}${characters[index]}`);
  }
  return terms;
}
