import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Marks, partOf } from '../../support/page.ts';
import { readTable } from './command.ts';

const page = path.resolve(import.meta.dirname, '../../../docs/smoke.md');

const marksOf = (name: string): Marks => [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];

/** The checks of a table in docs/smoke.md, in its order. */
export async function checksOnPage(name: string): Promise<string[]> {
  const { inside } = partOf(await readFile(page, 'utf8'), marksOf(name));
  return readTable(inside).map(({ check }) => check);
}

/** With `UPDATE_DOCS=1`, puts what the command has printed into the page. */
export async function updatePage(name: string, printed: string): Promise<void> {
  if (process.env.UPDATE_DOCS !== '1') return;
  const rows = printed.split('\n').filter((line) => line.startsWith('|'));
  const table = rows.map((row) => `${row.replaceAll(/ +/g, ' ')}\n`).join('');
  const { before, after } = partOf(await readFile(page, 'utf8'), marksOf(name));
  await writeFile(page, before + table + after);
}
