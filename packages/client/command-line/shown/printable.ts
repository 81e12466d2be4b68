/** Control characters apart from tab and line end: a terminal would obey them. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A service may have put anything where a text belongs. */
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A text of models, pages or others as a terminal may show it. */
export const printable = (text: unknown): string =>
  asText(text).replaceAll('\r\n', '\n').replace(controls, '');

/** The beginning of a text on one line. */
export function onOneLine(text: unknown, characters: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > characters ? `${line.slice(0, Math.max(0, characters - 1))}…` : line;
}
