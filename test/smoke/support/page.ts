import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readTable } from './command.ts';

const page = path.resolve(import.meta.dirname, '../../../docs/smoke.md');

const marksOf = (name: string) => [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`] as const;

/** The checks of a table in docs/smoke.md, in its order. */
export async function checksOnPage(name: string): Promise<string[]> {
  const [begin, end] = marksOf(name);
  const [, table = ''] = (await readFile(page, 'utf8')).split(begin);
  return readTable(table.split(end)[0] ?? '').map(({ check }) => check);
}

/** With `UPDATE_DOCS=1`, puts what the command has printed into the page. */
export async function updatePage(name: string, printed: string): Promise<void> {
  if (process.env.UPDATE_DOCS !== '1') return;
  const [begin, end] = marksOf(name);
  const rows = printed.split('\n').filter((line) => line.startsWith('|'));
  const table = rows.map((row) => `${row.replaceAll(/ +/g, ' ')}\n`).join('');
  const text = await readFile(page, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  await writeFile(page, before + begin + table + end + (rest.split(end)[1] ?? ''));
}
