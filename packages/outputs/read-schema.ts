import type { OrderedJson } from '@errand/platform';
import type { SchemaText } from './problems.ts';

/** What is wrong with a caller's schema: where (`properties.rows.items.uniqueItems`), and what (names the keyword). */
export interface SchemaIssue {
  place: string;
  problem: string;
}

/**
 * Reads a caller's JSON Schema (2020-12 or draft-07, of what OpenAI's strict mode has, with bounds of texts, numbers and lists).
 * Returns its text, with keys in their order, or the first issue. Nothing is compiled before every bound is checked.
 */
export function readSchema(_schema: OrderedJson): { schema: SchemaText } | { issue: SchemaIssue } {
  throw new Error('not built');
}
