import { isFields } from '@errand/platform';
import { accepts } from './schemas/accepts.ts';
import { makeValue, type Sayings } from './schemas/make.ts';
import { startReading, UnmadeValue } from './schemas/reading.ts';
import type { ChatRequest, ToolDefinition } from './wire/chat-request.ts';
import { WireError } from './wire/http.ts';

/** The text that `response_format` asks for, or undefined where any text will do. */
export function formattedText({ response_format: format }: ChatRequest, said: Sayings['texts'] = []) {
  if (format?.type === 'json_object') return JSON.stringify({ answer: 'stand-in' });
  if (format?.type !== 'json_schema') return undefined;
  const { name, schema = { type: 'object' } } = format.json_schema;
  const make = () => (isWrittenForm(schema) ? makeWritten(schema, said) : makeValue(schema));
  return JSON.stringify(refusing(`response_format '${name}'`, 'response_format', make));
}

/** The text that a schema in the conversation asks for. */
export const promptedText = (schema: WrittenForm, said: Sayings['texts']): string =>
  JSON.stringify(refusing('the conversation', 'messages', () => makeWritten(schema, said)));

/** The form in which Errand's agent has values written: with the numbers of the sources of what stands in them. */
export interface WrittenForm {
  properties: { value: unknown; sources: unknown };
}

export const isWrittenForm = (schema: unknown): schema is WrittenForm =>
  isFields(schema) && Object.keys(Object(schema.properties)).sort().join() === 'sources,value';

/** Where nothing of a source is in the value, the whole names the first. */
function makeWritten(schema: WrittenForm, texts: Sayings['texts']) {
  const sayings: Sayings = { texts, said: [] };
  const value = makeValue(schema, { part: schema.properties.value, sayings });
  const { said } = sayings;
  const cited = said.length > 0 ? said : texts.slice(0, 1).map(({ number }) => ({ pointer: '', number }));
  const written = { value, sources: cited.map(({ pointer, number }) => ({ pointer, numbers: [number] })) };
  if (accepts(startReading(schema), schema, written)) return written;
  throw new UnmadeValue('no value was found that fits it');
}

/** Arguments that the tool's schema accepts. */
export function sampleArguments(tool: ToolDefinition): Record<string, unknown> {
  const made = readingSchemaOf(tool, (schema) => makeValue(schema));
  if (isFields(made)) return made;
  const message = `The schema of function '${tool.function.name}' accepts no object`;
  throw new WireError(400, message, 'tools', 'unsupported_schema');
}

export const takesArguments = (tool: ToolDefinition, input: Record<string, unknown>): boolean =>
  readingSchemaOf(tool, (schema) => accepts(startReading(schema), schema, input));

function readingSchemaOf<T>(
  { function: { name, parameters = {} } }: ToolDefinition,
  read: (schema: unknown) => T,
): T {
  const schema = '$ref' in parameters ? parameters : { type: 'object', ...parameters };
  return refusing(`function '${name}'`, 'tools', () => read(schema));
}

function refusing<T>(what: string, param: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnmadeValue)) throw error;
    const message = `The stand-in cannot fulfil the schema of ${what}: ${error.message}`;
    throw new WireError(400, message, param, 'unsupported_schema');
  }
}
