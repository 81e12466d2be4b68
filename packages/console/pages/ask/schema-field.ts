import type { NewRun } from '@errand/client';

type OutputSchema = NonNullable<NewRun['outputSchema']>;

/** The schema that is typed. Undefined where none is, or while it is none. */
export function readSchema(text: string): OutputSchema | undefined {
  try {
    const schema: unknown = JSON.parse(text);
    return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
      ? (schema as OutputSchema)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with what is typed; empty if nothing is. */
export const schemaProblem = (text: string): string =>
  text.trim() === '' || readSchema(text) ? '' : 'This is no JSON object yet.';
