import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { Deps, TestedKind } from './kinds.ts';

export type Item = Record<string, unknown> & { pk: string; sk: string };

type Store = Pick<Deps, 'dynamodb' | 'tables'>;

export async function scanTable({ dynamodb, tables }: Store): Promise<Item[]> {
  const items: Item[] = [];
  const scan = { TableName: tables.skills, ConsistentRead: true };
  for await (const page of paginateScan({ client: dynamodb }, scan))
    items.push(...((page.Items ?? []) as Item[]));
  return items;
}

const withoutKeys = ({ pk: _, sk: __, ...rest }: Item) => rest;
/** The copy that lies beside a name. */
function currentOf(
  { noun, keys }: TestedKind,
  { pk, id, name, version }: Item,
  contents: readonly Item[],
): Item {
  const content = contents.find(
    (each) => each.pk === `${noun}#${id}` && each.number === Number(version ?? 0),
  );
  if (!content) throw new Error('nothing is published');
  return { ...content, id, pk, sk: `${keys.owned}current#${name}` };
}

const versionOf = (item: Item) => Number(item.version ?? 0);

/**
 * Checks what must hold between any two writes: a thing is whole, with the content of every published version, or
 * does not exist; a name belongs to one thing and has a copy of its current content; contents without a thing are covered by the mark of a deletion.
 */
export async function expectWhole(kind: TestedKind, store: Store): Promise<void> {
  const { noun, keys, digestOf, instructionsIn } = kind;
  const items = await scanTable(store);
  const rows = items.filter(({ sk }) => sk === keys.row);
  const names = items.filter(({ sk }) => sk.startsWith(`${keys.owned}name#`));
  const marks = new Map(
    items.filter(({ sk }) => sk.startsWith(`${keys.owned}sweep#`)).map((mark) => [mark.id, mark]),
  );
  const contents = items.filter(({ sk }) => sk.startsWith('content#'));
  const rowOf = (id: unknown) => rows.find((row) => row.id === id);

  expect(names.map(withoutKeys).sort(byItsId)).toEqual(rows.map(withoutKeys).sort(byItsId));
  for (const name of names)
    expect([name.pk, name.sk]).toEqual([name.owner, `${keys.owned}name#${name.name}`]);
  const copies = items.filter(({ sk }) => sk.startsWith(`${keys.owned}current#`));
  expect(copies.sort(byItsId)).toEqual(names.map((name) => currentOf(kind, name, contents)).sort(byItsId));
  for (const row of rows) {
    const numbers = contents.filter(({ pk }) => pk === row.pk).map(({ number }) => Number(number));
    const published = Array.from({ length: versionOf(row) }, (_, i) => i + 1);
    expect(numbers.filter((number) => number > 0).sort((a, b) => a - b)).toEqual(published);
    if (published.length === 0) expect(numbers).toEqual([0]);
    expect(marks.has(row.id)).toBe(false);
  }
  for (const content of contents) {
    expect(digestOf(String(instructionsIn(content)))).toBe(content.contentHash);
    const id = content.pk.slice(`${noun}#`.length);
    if (!rowOf(id)) expect(Number(marks.get(id)?.highest)).toBeGreaterThanOrEqual(Number(content.number));
  }
}

/** As `expectWhole`, and checks that no mark and no content of a deleted thing is left. */
export async function expectNothingLeftOver(kind: TestedKind, store: Store): Promise<void> {
  const { keys } = kind;
  await expectWhole(kind, store);
  const items = await scanTable(store);
  const living = new Set(items.filter(({ sk }) => sk === keys.row).map(({ pk }) => pk));
  expect(items.filter(({ sk }) => sk.startsWith(`${keys.owned}sweep#`))).toEqual([]);
  expect(items.filter(({ pk, sk }) => sk.startsWith('content#') && !living.has(pk))).toEqual([]);
}

const byItsId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a.id) < String(b.id) ? -1 : 1;
