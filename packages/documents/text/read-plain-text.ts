import { createOutputText, decodeText } from '@errand/text';
import { createConversion, type ReadFormat } from '../conversion.ts';

/** Breaks one-line JSON into lines. Only white space is added: numbers and strings keep their spelling. */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(
    /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]\s*[\]}]|[[{]|[\]}]|,|:|[^\s"[\]{},:]+|"/g,
  )) {
    const newLine = () => `\n${'  '.repeat(Math.min(depth, 50))}`;
    if (token === '{' || token === '[') {
      depth++;
      parts.push(token, newLine());
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      parts.push(newLine(), token);
    } else if (token === ',') parts.push(token, newLine());
    else parts.push(token === ':' ? ': ' : token);
  }
  return parts.join('');
}

const largestIndentedCharacters = 5_000_000;

/** Keeps the text, with \n as line ends. Only JSON that came on one line is indented. */
export const readPlainText: ReadFormat = async (bytes, options, extension) => {
  let text = decodeText(bytes, options.charset).replace(/\r\n?/g, '\n').trim();
  if (extension === '.json' && !text.includes('\n') && text.length <= largestIndentedCharacters) {
    text = indentJson(text);
  }
  const output = createOutputText(options.outputCharacters);
  output.push(text);
  return createConversion(output.finish());
};
