import { hasAtMost, limits } from '@errand/platform';

/** What a run's own item keeps of its question: the beginning. A cut one ends with an ellipsis. */
export function beginningOf(question: string): string {
  const most = limits.shownQuestionCharacters;
  // The store takes no half of a character.
  const text = question.trim().toWellFormed();
  if (hasAtMost(text, most)) return text;
  return `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…`;
}

export const firstLine = (text: string): string => /^.*/.exec(text)?.[0] ?? '';

/** Whether a text has each word of the search, in any case, also within its own words. No text lacks an empty search. */
export function searchFor(search: string): (text: string) => boolean {
  const words = folded(search).split(/\s+/);
  return (text) => {
    const searched = folded(text);
    return words.every((word) => searched.includes(word));
  };
}

/** Compatibility forms are one with what they stand for: full-width letters, ligatures, accents of their own. */
const folded = (text: string) => text.normalize('NFKC').toLowerCase();
