import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { sha256Hex } from '@errand/platform';
import type { SkillRoutesDeps } from '@errand/skills';
import { expect } from 'vitest';

export type Item = Record<string, unknown> & { pk: string; sk: string };

type Store = Pick<SkillRoutesDeps, 'dynamodb' | 'tables'>;

export async function scanSkills({ dynamodb, tables }: Store): Promise<Item[]> {
  const items: Item[] = [];
  const scan = { TableName: tables.skills, ConsistentRead: true };
  for await (const page of paginateScan({ client: dynamodb }, scan))
    items.push(...((page.Items ?? []) as Item[]));
  return items;
}

const withoutKeys = ({ pk: _, sk: __, ...rest }: Item) => rest;
/** The copy that lies beside a name. */
function currentOf({ pk, id, name, version }: Item, contents: readonly Item[]): Item {
  const content = contents.find((each) => each.pk === `skill#${id}` && each.number === Number(version ?? 0));
  if (!content) throw new Error('a skill has no content');
  return { ...content, id, pk, sk: `current#${name}` };
}

const versionOf = (item: Item) => Number(item.version ?? 0);

/**
 * Checks what must hold between any two writes: a skill is whole, with the instructions of every published version, or
 * does not exist; a name belongs to one skill and has a copy of its current content; contents without a skill are covered by the mark of a deletion.
 */
export async function expectWholeSkills(store: Store): Promise<void> {
  const items = await scanSkills(store);
  const rows = items.filter(({ sk }) => sk === 'skill');
  const names = items.filter(({ sk }) => sk.startsWith('name#'));
  const marks = new Map(items.filter(({ sk }) => sk.startsWith('sweep#')).map((mark) => [mark.id, mark]));
  const contents = items.filter(({ sk }) => sk.startsWith('content#'));
  const rowOf = (id: unknown) => rows.find((row) => row.id === id);

  expect(names.map(withoutKeys).sort(byItsId)).toEqual(rows.map(withoutKeys).sort(byItsId));
  for (const name of names) expect([name.pk, name.sk]).toEqual([name.owner, `name#${name.name}`]);
  const copies = items.filter(({ sk }) => sk.startsWith('current#'));
  expect(copies.sort(byItsId)).toEqual(names.map((name) => currentOf(name, contents)).sort(byItsId));
  for (const row of rows) {
    const numbers = contents.filter(({ pk }) => pk === row.pk).map(({ number }) => Number(number));
    const published = Array.from({ length: versionOf(row) }, (_, i) => i + 1);
    expect(numbers.filter((number) => number > 0).sort((a, b) => a - b)).toEqual(published);
    if (published.length === 0) expect(numbers).toEqual([0]);
    expect(marks.has(row.id)).toBe(false);
  }
  for (const content of contents) {
    expect(sha256Hex(String(content.instructions))).toBe(content.contentHash);
    const id = content.pk.slice('skill#'.length);
    if (!rowOf(id)) expect(Number(marks.get(id)?.highest)).toBeGreaterThanOrEqual(Number(content.number));
  }
}

/** As `expectWholeSkills`, and checks that no mark and no content of a deleted skill is left. */
export async function expectNothingLeftOver(store: Store): Promise<void> {
  await expectWholeSkills(store);
  const items = await scanSkills(store);
  const living = new Set(items.filter(({ sk }) => sk === 'skill').map(({ pk }) => pk));
  expect(items.filter(({ sk }) => sk.startsWith('sweep#'))).toEqual([]);
  expect(items.filter(({ pk, sk }) => sk.startsWith('content#') && !living.has(pk))).toEqual([]);
}

const byItsId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a.id) < String(b.id) ? -1 : 1;
