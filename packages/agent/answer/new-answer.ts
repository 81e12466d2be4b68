/** Texts up to this length can be remarks about the check. A longer one is taken for an answer. */
const remarkCharacters = 400;
/** A text that has this share of its words from the answer restates some of it, and is no remark. */
const restatedShare = 0.6;
/** An answer is long if it has more characters. It is not replaced by a text with less than a tenth of them. */
const longAnswerCharacters = 1_500;
const shortestShare = 0.1;

/** A word that agrees answers nothing, unless the answer is as short itself. */
const isAssent =
  /^\W*(yes|ok|okay|done|correct|right|fine|good|great|sure|perfect|complete|confirmed|ja|richtig|stimmt|oui|d'accord|s[ií]|va bene|sim|да|はい|是|是的|好|好的|네)\W*$/iu;
const shortAnswerCharacters = 40;

/**
 * Words with which models say that an answer may stay as it is, in the languages that callers use most. They tell remarks
 * only among short texts that share few words with the answer.
 */
const remarkWords = [
  /\b(complete|confirm(ed|s)?|unchanged|no (further |other )?(changes?|tools?|gaps?|corrections?)|nothing (is )?(missing|to add)|as (it )?(is|stands)|still stands|the (previous |above |final )?answer (above|is|stands|remains))\b/i,
  /\b(vollständig|bestätig\w*|unverändert|keine (weiteren )?(änderung|lücke|ergänzung)\w*|nichts (fehlt|hinzuzufügen))/i,
  /\b(complète?|confirme\w*|inchangée?|aucune? (autre )?(modification|changement|outil))/i,
  /\b(completa|confirm[ao]\w*|sin cambios|ning[uú]n cambio|nessuna modifica|invariata|sem alterações|nenhuma alteração)/i,
  /(完整|无需修改|沒有缺漏|没有遗漏|確認しました|変更(は)?(ありません|なし)|완전|변경 없음)/,
];

/** Whether the text that ended the final check is a new answer, and not a remark about the one that there is. */
export function isNewAnswer(text: string, answer: string): boolean {
  const written = text.trim();
  if (written === '') return false;
  if (answer.trim() === '') return true;
  if (isTooShort(written, answer)) return false;
  if (isAssent.test(written) && answer.length > shortAnswerCharacters) return false;
  if (written.length > remarkCharacters || sharedWords(written, answer) >= restatedShare) return true;
  return !remarkWords.some((words) => words.test(written));
}

const isTooShort = (text: string, answer: string): boolean =>
  answer.length > longAnswerCharacters && text.length < answer.length * shortestShare;

/** The share of the text's words that the answer has too. */
function sharedWords(text: string, answer: string): number {
  const known = new Set(wordsOf(answer));
  const words = wordsOf(text);
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
