import type { Passage } from '../passage.ts';

/** A passage as a reader sees it: `[Passage 12 of 310 | Methods > Data | page 41]`, then its text. */
export function labelled({ number, headings, place, text }: Passage, passages: number): string {
  const parts = [`Passage ${number} of ${passages}`, headings.join(' > '), place ?? ''];
  return `[${parts.filter(Boolean).join(' | ')}]\n${text}`;
}

const cutMark = ' [...]';

/** The text, cut with a mark if it is longer than `characters`. */
export function fit(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const room = characters - cutMark.length;
  if (room <= 0) return whole(text.slice(0, Math.max(0, characters)));
  return whole(text.slice(0, room)) + cutMark;
}

/** A surrogate pair is never cut in two. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
