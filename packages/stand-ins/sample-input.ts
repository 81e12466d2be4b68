import type { ToolDefinition } from './wire/chat-request.ts';

const maxDepth = 5;

/** Arguments that fit the tool's schema, for requests that force a call which the question does not ask for. */
export function sampleInput(
  { function: { parameters } }: ToolDefinition,
  question: string,
): Record<string, unknown> {
  const value = sampleValue(parameters ?? {}, question, 0);
  return isObject(value) ? value : {};
}

function sampleValue(schema: Record<string, unknown>, question: string, depth: number): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'string') return question;
  if (type === 'integer' || type === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 0;
  if (type === 'boolean') return true;
  if (type === 'null' || depth > maxDepth) return null;
  if (type === 'array') return isObject(schema.items) ? [sampleValue(schema.items, question, depth + 1)] : [];
  return sampleObject(schema, question, depth);
}

function sampleObject(
  schema: Record<string, unknown>,
  question: string,
  depth: number,
): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return Object.fromEntries(
    required.map((name) => {
      const property = properties[name];
      return [name, isObject(property) ? sampleValue(property, question, depth + 1) : question];
    }),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
