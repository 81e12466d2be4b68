import type { SchemaText } from './problems.ts';

/**
 * The schema of what the model writes, for its prompt: `{ value, sources: [{ pointer, numbers }] }`, where `value` has the caller's schema. JSON,
 * keys in order. Definitions and references are moved so that they hold there.
 */
export function writtenForm(_schema: SchemaText): string {
  throw new Error('not built');
}

/**
 * The same as `response_format` of chat completions, narrowed to what strict mode takes: every property required (those that may be left out may be null),
 * no bounds of texts, `oneOf` as `anyOf`.
 */
export function providerFormat(_schema: SchemaText): {
  type: 'json_schema';
  json_schema: { name: string; strict: true; schema: object };
} {
  throw new Error('not built');
}
