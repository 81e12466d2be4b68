import type { Material } from '../corpus/material.ts';
import { rowPassage, type Table, type TableKind, tableFile } from '../corpus/tables.ts';
import { seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { contains, type Kit, type Places, type Task } from './task.ts';

const tableKinds: readonly TableKind[] = ['.csv', '.xlsx', '.html', '.md'];

/** A cell of a price list: its row names a product, its column a town. */
export function tables({ products, towns }: World, { site }: Places): Kit {
  const made = tableKinds.map((kind) => {
    const random = seeded(`table ${kind}`);
    const places = random.sample(towns, 4);
    const heads = ['Product', 'Weight', ...places.map(({ name }) => `Price in ${name}`)];
    const rows = products.map(({ name, kind: sort, kilograms }) => [
      `${name} ${sort}`,
      `${kilograms} kg`,
      ...places.map(() => figure(random.whole(1_000, 9_900))),
    ]);
    const table: Table = { path: `/files/price-list${kind}`, title: 'Price list', heads, rows };
    const tasks = random.sample(products, 2).map((product, i): Task => {
      const row = rows[products.indexOf(product)]!;
      const column = 2 + random.whole(0, places.length - 1);
      return {
        id: `table${kind}-${i + 1}`,
        kind: 'table',
        question: `What is the price of the ${product.name} ${product.kind} in ${places[column - 2]!.name}, by the table in this ${kind} file?`,
        documentUrl: site + table.path,
        passages: [rowPassage(row)],
        isRight: contains(row[column]!),
      };
    });
    return { tasks, material: tableFile(kind, table) };
  });
  return { tasks: made.flatMap(({ tasks }) => tasks), materials: made.map(({ material }) => material) };
}

/** The last row of a table that is far too long to be shown. */
export function lastRow(
  kind: '.csv' | '.xlsx',
  count: number,
  { site }: Places,
): { task: Task; material: Material } {
  const random = seeded(`long table ${kind}`);
  const name = nameMaker(random, 'by')();
  const shed = () => `Shed ${random.whole(1, 99)}`;
  const rows = Array.from({ length: count }, (_, i) => [
    `Crate ${i + 1}`,
    shed(),
    figure(random.whole(10, 9_900)),
  ]);
  const last = [`${name} crate`, shed(), figure(random.whole(10_100, 99_000))];
  const table: Table = {
    path: `/files/stock${kind}`,
    title: 'Stock',
    heads: ['Crate', 'Place', 'Bolts'],
    rows: [...rows, last],
  };
  return {
    material: tableFile(kind, table, [last]),
    task: {
      id: `long-document-last-row${kind}`,
      kind: 'long-document',
      question: `How many bolts are in the ${name} crate, by the ${kind} file?`,
      documentUrl: site + table.path,
      passages: [rowPassage(last)],
      isRight: contains(last[2]!),
    },
  };
}
