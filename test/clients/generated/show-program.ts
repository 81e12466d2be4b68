import { readFileSync } from 'node:fs';
import path from 'node:path';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');

const block = (code: string): string => `\`\`\`ts\n${code.trim()}\n\`\`\`\n`;

/** The code by which a client is generated, as markdown. */
export const showGenerator = (file: string): string => block(read(file));

/** The beginning of a program with some of its functions, as markdown. */
export function showProgram(file: string, functions: readonly string[]): string {
  const text = read(`programs/${file}`);
  const begins = (name: string) => text.search(new RegExp(`^async function\\*? ${name}\\b`, 'm'));
  const [first = text.length] = functions.map(begins);
  const shown = functions.map((name) => {
    const at = begins(name);
    if (at < 0) throw new Error(`${file} has no function ${name}`);
    return text.slice(at, text.indexOf('\n}\n', at) + 3);
  });
  return block([text.slice(0, first), ...shown].map((piece) => piece.trim()).join('\n\n'));
}
