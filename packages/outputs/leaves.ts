import type { OrderedJson } from '@errand/platform';
import type { SchemaText } from './problems.ts';
import type { Written } from './written-value.ts';

/** A text, number or flag of a value that is a fact: no null, and nothing that the schema alone decides (`const`, an enum of one). */
export interface Leaf {
  pointer: string;
  /** Where it stands in the text of the value, in UTF-16 units; the end is exclusive. */
  startIndex: number;
  endIndex: number;
  /** A statement of it in words: the titles or names on the way, the schema's descriptions, what tells its row from others, the value. */
  claim: string;
  /** The sources of the longest pointer in `sources` that holds it. */
  sources: readonly number[];
}

export interface ToldValue {
  /** The value as JSON, keys in the order in which they were written. */
  text: string;
  /** At most `limits.basisFields`, in their order. */
  leaves: Leaf[];
}

/** The value as callers read it, with its leaves. */
export function tellValue(_written: Written, _schema: SchemaText): ToldValue {
  throw new Error('not built');
}

/** The leaves of a value, as `tellValue` has them. */
export const leavesOf = (written: Written, schema: SchemaText): Leaf[] => tellValue(written, schema).leaves;

export type { OrderedJson };
