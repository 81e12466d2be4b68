/**
 * Control characters apart from tab and line end, which a terminal would obey, and characters that turn the direction of a
 * line, break it or cannot be seen. The joiners stay: scripts and emoji need them.
 */
const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A service may have put anything where a text belongs. */
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A text of models, pages or others as a terminal may show it. */
export const printable = (text: unknown): string =>
  asText(text).replaceAll('\r\n', '\n').replace(controls, '');

/** What else nobody can see. A text can hide in it. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const escapeOf = (sign: string): string =>
  sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** JSON with escapes in place of those that it has as they are. */
export const printableJson = (json: string): string => json.replace(controls, escapeOf);

/** A whole text on one line, with escapes in place of what a terminal obeys or nobody can see. */
export const escaped = (text: unknown): string =>
  printableJson(asText(text)).replace(unseen, escapeOf).replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** The beginning of a text on one line. */
export function onOneLine(text: unknown, characters: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > characters ? `${line.slice(0, Math.max(0, characters - 1))}…` : line;
}
