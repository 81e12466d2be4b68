import type { Material } from '../../corpus/material.ts';
import { rowPassage, type Table, type TableKind, tableFile } from '../../corpus/tables.ts';
import { seeded } from '../../random.ts';
import type { Schema } from '../../score/fits.ts';
import type { ExpectedField } from '../../score/record.ts';
import { figure } from '../../world/facts.ts';
import { nameMaker } from '../../world/names.ts';
import type { World } from '../../world/world.ts';
import { orNull, text, whole } from './shapes.ts';

const rowCount = 40;
/** The rows of which one cell is empty. */
const emptyEach = 13;

export interface RowsRecord {
  id: string;
  material: Material;
  passages: string[];
  schema: Schema;
  fields: ExpectedField[];
  rows: { pointer: string; key: string };
}

/** Tables of 40 rows, some with an empty cell. */
export function tablesOfRows({ towns }: World): RowsRecord[] {
  return (['.html', '.csv', '.md'] satisfies TableKind[]).map((kind) => {
    const random = seeded(`extract rows ${kind}`);
    const newName = nameMaker(random, 'hithe');
    const made = Array.from({ length: rowCount }, (_, i) => {
      const hasNone = i % emptyEach === emptyEach - 1;
      const bolts = random.whole(1_010, 9_900);
      return { crate: newName(), town: random.pick(towns).name, bolts: hasNone ? undefined : bolts };
    });
    const cells = made.map(({ crate, town, bolts }) => [
      crate,
      town,
      bolts === undefined ? '' : figure(bolts),
    ]);
    const path = `/files/crates${kind}`;
    const table: Table = { path, title: 'Crates', heads: ['Crate', 'Town', 'Bolts'], rows: cells };
    const fields = made.flatMap(({ crate, town, bolts }) =>
      Object.entries({ crate, town, bolts }).map(([key, value]) => ({
        pointer: `/crates/${crate}/${key}`,
        value,
        homes: [path],
      })),
    );
    return {
      id: `rows${kind}`,
      material: tableFile(kind, table),
      passages: cells.filter(([, , bolts]) => bolts !== '').map(rowPassage),
      schema: schemaOfRows,
      fields,
      rows: { pointer: '/crates', key: 'crate' },
    };
  });
}

const schemaOfRows: Schema = {
  type: 'object',
  properties: {
    crates: {
      type: 'array',
      minItems: 1,
      description: 'The rows of the table',
      items: {
        type: 'object',
        properties: {
          crate: text('Name of the crate'),
          town: text('The town in which it stands'),
          bolts: orNull(whole('How many bolts it has')),
        },
        required: ['crate', 'town', 'bolts'],
        additionalProperties: false,
      },
    },
  },
  required: ['crates'],
  additionalProperties: false,
};
