import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Marks, partOf } from '../support/page.ts';

const root = path.join(import.meta.dirname, '../..');

const marksOf = (name: string): Marks => [
  `<!-- figures of ${name} -->`,
  `<!-- end of the figures of ${name} -->`,
];

/** The figures of a benchmark in a page's text. Throws if their marks are not there. */
export const figuresOf = (text: string, name: string): string => partOf(text, marksOf(name)).inside.trim();

/** Prints the figures, and writes them into the page if there is one. */
export async function publish(page: string | undefined, name: string, figures: string): Promise<void> {
  console.log(`${figures}\n`);
  if (page === undefined) return;
  const file = path.join(root, page);
  const { before, after } = partOf(await readFile(file, 'utf8'), marksOf(name));
  await writeFile(file, `${before}\n\n${figures}\n\n${after}`);
}
