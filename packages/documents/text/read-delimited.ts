import { createMarkdownWriter, createOutputText, decodeText } from '@errand/text';
import { createConversion, type ReadFormat } from '../conversion.ts';

/** A larger file stays as it is: the bars of a table would cost more characters than they explain. */
const largestTableCharacters = 2_000_000;

/**
 * The delimiter that splits the first lines most evenly. Excel writes `;` in countries whose decimal sign is a comma.
 */
export function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n', 10)
    .map((line) => line.replace(/"[^"]*(?:""[^"]*)*"/g, ''));
  const scores = [',', ';', '\t', '|'].map((delimiter) => {
    const counts = lines.filter((line) => line.trim()).map((line) => line.split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    return { delimiter, score: first > 0 ? first * counts.filter((count) => count === first).length : 0 };
  });
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/** Rows by RFC 4180. Quotes inside an unquoted value are a part of it. */
export function* parseDelimited(text: string, delimiter: string): Generator<string[]> {
  const plain = new RegExp(`[^\\n${delimiter === '\t' ? '\\t' : `\\${delimiter}`}]*`, 'y');
  const quoted = /"([^"]*(?:""[^"]*)*)(?:"|$)/y;
  let row: string[] = [];
  let position = 0;
  while (position < text.length) {
    quoted.lastIndex = position;
    const value = text[position] === '"' ? quoted.exec(text)?.[1]?.replaceAll('""', '"') : undefined;
    plain.lastIndex = value === undefined ? position : quoted.lastIndex;
    const rest = plain.exec(text)?.[0] ?? '';
    row.push((value ?? '') + rest);
    position = plain.lastIndex;
    if (text[position] === delimiter && position + 1 < text.length) {
      position++;
      continue;
    }
    yield row;
    row = [];
    position++;
  }
}

export const readDelimited: ReadFormat = async (bytes, options, extension) => {
  const text = decodeText(bytes, options.charset).replace(/\r\n?/g, '\n');
  if (text.length > largestTableCharacters) {
    const output = createOutputText(options.outputCharacters);
    output.push(text.trim());
    return createConversion(output.finish(), { columns: text.trimStart().split('\n', 1)[0]! });
  }
  const writer = createMarkdownWriter(options.outputCharacters);
  const table = writer.longTable();
  const delimiter = extension === '.tsv' ? '\t' : guessDelimiter(text);
  for (const row of parseDelimited(text, delimiter)) table.row(row);
  table.end();
  return createConversion(writer.finish());
};
