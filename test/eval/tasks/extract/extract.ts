import { isRecordRight } from '../../score/record.ts';
import type { World } from '../../world/world.ts';
import type { Kit, Places, Task } from '../task.ts';
import { conflict, mixedTypes, nearNames } from './own-records.ts';
import { type RowsRecord, tablesOfRows } from './rows.ts';
import { fieldsOf, schemaOf } from './shapes.ts';
import { type AskedRecord, nullableGaps, otherGaps, severalPages } from './world-records.ts';

type ExtractKind = 'extract' | 'proved-extract';

/** Values of a schema: fields on several pages, of which some are nowhere, and tables. The same with proof and without. */
const kitOf =
  (kind: ExtractKind) =>
  (world: World, places: Places): Kit => {
    const own = [...nearNames(), ...mixedTypes(), ...conflict()];
    const records = [...severalPages(world), ...nullableGaps(world), ...otherGaps(world), ...own];
    const tables = tablesOfRows(world);
    return {
      tasks: [
        ...records.map((record) => recordTask(kind, record)),
        ...tables.map((table) => rowsTask(kind, table, places)),
      ],
      materials: [
        ...own.flatMap(({ materials }) => materials),
        ...tables.filter(({ id }) => id !== uploaded).map(({ material }) => material),
      ],
    };
  };

/** The table that comes with the question. */
const uploaded = 'rows.csv';

const withProof = (kind: ExtractKind): string => (kind === 'extract' ? '' : ' with proof');

function recordTask(kind: ExtractKind, { id, about, shape }: AskedRecord): Task {
  const outputSchema = schemaOf(shape);
  const fields = fieldsOf(shape);
  const expected = { fields };
  return {
    id: `${kind}-${id}`,
    kind,
    question: `Fill in the record of ${about}${withProof(kind)}.`,
    ...(kind === 'proved-extract' && { proof: true }),
    outputSchema,
    expected,
    passages: fields.flatMap(({ sentence }) => sentence ?? []),
    isRight: isRecordRight(outputSchema, expected),
  };
}

function rowsTask(
  kind: ExtractKind,
  { id, material, passages, schema, fields, rows }: RowsRecord,
  { site }: Places,
): Task {
  const expected = { fields, rows };
  const address = site + material.path;
  const isPage = material.path.endsWith('.html');
  return {
    id: `${kind}-${id}`,
    kind,
    question: isPage
      ? `List all rows of the page ${address}${withProof(kind)}.`
      : `List all rows of the file ${material.path.split('/').at(-1)}${withProof(kind)}.`,
    ...(kind === 'proved-extract' && { proof: true }),
    ...(id === uploaded ? { upload: material } : !isPage && { documentUrl: address }),
    outputSchema: schema,
    expected,
    passages,
    isRight: isRecordRight(schema, expected),
  };
}

export const extract = kitOf('extract');
export const provedExtract = kitOf('proved-extract');
