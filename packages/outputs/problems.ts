import type { OrderedJson } from '@errand/platform';

/** A schema that `readSchema` has read: JSON, its keys in the caller's order. */
export type SchemaText = string & { readonly isSchema?: true };

/** Why a value does not fit. `pointer` is a JSON Pointer (RFC 6901). */
export interface Problem {
  pointer: string;
  problem: string;
}

/**
 * What of a value does not fit its schema, at most `limits.valueProblems`; empty if it fits. Works in a thread with a time limit, and a value
 * that cannot be checked in time has the problem that says so. Throws the signal's reason.
 */
export async function problemsOf(
  _schema: SchemaText,
  _value: OrderedJson,
  _options: { signal: AbortSignal; owner?: string },
): Promise<Problem[]> {
  throw new Error('not built');
}
