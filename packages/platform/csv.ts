/** Lines of cells as CSV (RFC 4180). Texts of strangers are cells by `csvText`. */
export const writeCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `${cells.join(',')}\r\n`).join('');

/** A spreadsheet would run a text that begins like a formula, also in the wide letters of East Asia. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell that has the text, after an apostrophe where it begins like a formula. */
export function csvText(text: string): string {
  const harmless = beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
