import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** The comments in a page between which a benchmark's figures stand. */
export const marksOf = (name: string) =>
  [`<!-- figures of ${name} -->`, `<!-- end of the figures of ${name} -->`] as const;

/** The figures of a benchmark in a page's text. Throws if their marks are not there. */
export function partOf(text: string, name: string): { before: string; figures: string; after: string } {
  const [begin, end] = marksOf(name);
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`the page has no marks for the figures of ${name}`);
  return {
    before: text.slice(0, from + begin.length),
    figures: text.slice(from + begin.length, to).trim(),
    after: text.slice(to),
  };
}

/** Prints the figures, and writes them into the page if there is one. */
export async function publish(page: string | undefined, name: string, figures: string): Promise<void> {
  console.log(`${figures}\n`);
  if (page === undefined) return;
  const file = path.join(root, page);
  const { before, after } = partOf(await readFile(file, 'utf8'), name);
  await writeFile(file, `${before}\n\n${figures}\n\n${after}`);
}
