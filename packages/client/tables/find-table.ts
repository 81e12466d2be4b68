export type Row = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Table {
  /** Where the list stands in the value: a JSON Pointer. */
  pointer: string;
  rows: readonly Row[];
}

export const pointerTo = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The lists of objects in a value, from its beginning. Lists in them are not looked for. */
export function tablesIn(value: unknown, pointer = ''): Table[] {
  if (Array.isArray(value)) {
    if (value.every(isObject)) return [{ pointer, rows: value }];
    return value.flatMap((item, index) => tablesIn(item, pointerTo(pointer, index)));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => tablesIn(part, pointerTo(pointer, name)));
}

/** The first list of objects in a value; an empty one only where there is no other. */
export function tableIn(value: unknown): Table | undefined {
  const tables = tablesIn(value);
  return tables.find(({ rows }) => rows.length > 0) ?? tables[0];
}

/** Each field that any row has, in the order in which they come up. */
export const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap(Object.keys))];

/** What the row has under the name itself. */
export const fieldOf = (row: Row, name: string): unknown =>
  Object.hasOwn(row, name) ? row[name] : undefined;
