/** Texts up to this length can be remarks about the check. A longer one is taken for an answer. */
const remarkCharacters = 400;
/** A text that has this share of its words from the answer restates some of it, and is no remark. */
const restatedShare = 0.6;
/** An answer with more characters is long, and no text with less than a tenth of its characters replaces it. */
const longAnswerCharacters = 1_500;
const shortestShare = 0.1;

/** The word that the check's last question asks a model to write if it has no change to make. */
const confirmation = /^\W*confirmed\W*$/i;

/** A word of agreement is not an answer, unless the answer itself is as short. */
const isAssent =
  /^\W*(yes|ok|okay|done|correct|right|fine|good|great|sure|perfect|complete|verified|agreed|looks good( to me)?|ja|richtig|stimmt|oui|d'accord|s[ií]|va bene|sim|да|はい|是|是的|好|好的|네)\W*$/iu;
const shortAnswerCharacters = 40;

/**
 * Words with which models say that an answer may stay as it is, in the languages that callers use most. They tell remarks
 * only among short texts that share few words with the answer.
 */
const remarkWords = [
  /\b(complete|confirm(ed|s)?|unchanged|no (further |other )?(changes?|tools?|gaps?|corrections?)|nothing (is )?(missing|to add)|as (it )?(is|stands)|still stands|the (previous |above |final )?answer (above )?(stands|remains|(is|has been) (complete|correct|right|fine|unchanged|verified|confirmed))|(checks?|holds?) (out|up)|(all|every|each) claims? (is|are|checks?)|stand by|looks? (good|complete|correct)|verified)\b/i,
  /\b(vollständig|bestätig\w*|unverändert|keine (weiteren )?(änderung|lücke|ergänzung)\w*|nichts (fehlt|hinzuzufügen))/i,
  /\b(complète?|confirme\w*|inchangée?|aucune? (autre )?(modification|changement|outil))/i,
  /\b(completa|confirm[ao]\w*|sin cambios|ning[uú]n cambio|nessuna modifica|invariata|sem alterações|nenhuma alteração)/i,
  /(完整|无需修改|沒有缺漏|没有遗漏|確認しました|変更(は)?(ありません|なし)|완전|변경 없음)/,
];

/**
 * A remark has no figure of several digits that the answer does not have. Numbers of sources do not count as
 * figures.
 */
function hasNewFigure(text: string, answer: string): boolean {
  const figures = text.replaceAll(/\[[\d,;\s–-]*\]/g, '').match(/\d[\d.,]*\d/g) ?? [];
  return figures.some((figure) => !answer.includes(figure));
}

/** True if the text that ended the final check is a new answer, not a remark about the present answer. */
export function isNewAnswer(text: string, answer: string): boolean {
  const written = text.trim();
  if (written === '') return false;
  if (answer.trim() === '') return true;
  if (confirmation.test(written) || isTooShort(written, answer)) return false;
  if (isAssent.test(written) && answer.length > shortAnswerCharacters) return false;
  if (hasNewFigure(written, answer)) return true;
  if (written.length > remarkCharacters || sharedWords(written, answer) >= restatedShare) return true;
  return !remarkWords.some((words) => words.test(written));
}

const isTooShort = (text: string, answer: string): boolean =>
  answer.length > longAnswerCharacters && text.length < answer.length * shortestShare;

/** The share of the text's words that also occur in the answer. */
function sharedWords(text: string, answer: string): number {
  const known = new Set(wordsOf(answer));
  const words = wordsOf(text);
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
