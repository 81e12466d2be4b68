import type { OrderedJson } from '@errand/platform';
import type { SchemaText } from './problems.ts';

/** What a model has written: a value, and the numbers of the sources of its fields by their pointers. 0 is the question itself. */
export interface Written {
  value: OrderedJson;
  sources: ReadonlyMap<string, readonly number[]>;
}

/**
 * Reads what a model has written, fences and words around the JSON aside. Nulls of properties that may be left out and may not be
 * null are left out. Undefined if there is no JSON of the form; a bare value of the schema has no sources.
 */
export function readWritten(_text: string, _schema: SchemaText): Written | undefined {
  throw new Error('not built');
}
