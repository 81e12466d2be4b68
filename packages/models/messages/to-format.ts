import { isFields } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';

/** What a completion's `response_format` is in a message's request: a form that the model is held to, or an instruction. */
export interface Format {
  format?: Fields;
  instruction?: Fields;
}

/** The protocol holds models to schemas alone, so JSON of any form is asked for in words. */
const jsonAlone = {
  type: 'text',
  text: 'Answer with one JSON object and nothing else: no words around it, no code fence.',
};

export function toFormat(format: unknown): Format {
  const { type, json_schema } = isFields(format) ? format : {};
  const schema = isFields(json_schema) ? json_schema.schema : undefined;
  if (type === 'json_schema' && isFields(schema))
    return { format: { type: 'json_schema', schema: closed(schema) } };
  return type === 'json_schema' || type === 'json_object' ? { instruction: jsonAlone } : {};
}

/** Their values are schemas, each under a name of the caller's. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

/**
 * The protocol refuses an object that does not say that it has no other fields, which completions ask of `strict` schemas alone.
 * One that is put together of others cannot say it: its fields are theirs.
 */
function closed(schema: unknown): unknown {
  if (!isFields(schema)) return schema;
  const isOpen =
    [schema.type].flat().includes('object') &&
    !['additionalProperties', 'allOf', '$ref'].some((name) => name in schema);
  return { ...mapFields(schema, closedIn), ...(isOpen && { additionalProperties: false }) };
}

function closedIn(value: unknown, keyword: string): unknown {
  if (keyword === 'items') return closed(value);
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map(closed);
  return named.has(keyword) && isFields(value) ? mapFields(value, closed) : value;
}

const mapFields = (fields: Fields, map: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));
