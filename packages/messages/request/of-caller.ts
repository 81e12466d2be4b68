import type { Fields } from './fields.ts';

const schemas: ReadonlySet<string> = new Set(['input_schema', 'input_examples', 'schema']);

/** Whether a field has what a model gave a tool, what a tool takes, or the form of an answer: names within are the caller's own. */
export const isOfCaller = (name: string, { type }: Fields): boolean =>
  schemas.has(name) || (name === 'input' && typeof type === 'string' && type.endsWith('tool_use'));
