import { isAccepted, makeValue } from './schema-value/make-value.ts';
import { isObject, UnmadeValue } from './schema-value/schema.ts';
import type { ChatRequest, ToolDefinition } from './wire/chat-request.ts';
import { WireError } from './wire/http.ts';

/** The text that `response_format` asks for, or undefined where any text will do. */
export function formattedText({ response_format: format }: ChatRequest): string | undefined {
  if (format?.type === 'json_object') return JSON.stringify({ answer: 'stand-in' });
  if (format?.type !== 'json_schema') return undefined;
  const { schema = { type: 'object' } } = format.json_schema;
  return JSON.stringify(
    refusing(`response_format '${format.json_schema.name}'`, 'response_format', () => makeValue(schema)),
  );
}

/** Arguments that the tool's schema accepts. */
export function sampleArguments(tool: ToolDefinition): Record<string, unknown> {
  const made = readingSchemaOf(tool, (schema) => makeValue(schema));
  if (isObject(made)) return made;
  const message = `The schema of function '${tool.function.name}' accepts no object`;
  throw new WireError(400, message, 'tools', 'unsupported_schema');
}

export const takesArguments = (tool: ToolDefinition, input: Record<string, unknown>): boolean =>
  readingSchemaOf(tool, (schema) => isAccepted(schema, input));

const readingSchemaOf = <T>(
  { function: { name, parameters } }: ToolDefinition,
  read: (schema: unknown) => T,
): T => refusing(`function '${name}'`, 'tools', () => read({ type: 'object', ...parameters }));

function refusing<T>(what: string, param: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnmadeValue)) throw error;
    const message = `The stand-in cannot fulfil the schema of ${what}: ${error.message}`;
    throw new WireError(400, message, param, 'unsupported_schema');
  }
}
