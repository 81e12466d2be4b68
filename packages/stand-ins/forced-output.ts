import { isDeepStrictEqual } from 'node:util';
import { isFields } from '@errand/platform';
import type { ChatRequest, ToolDefinition } from './wire/chat-request.ts';
import { WireError } from './wire/http.ts';

/** The text that `response_format` asks for, or undefined where any text will do. */
export function formattedText({ response_format: format }: ChatRequest): string | undefined {
  if (format?.type === 'json_object') return JSON.stringify({ answer: 'stand-in' });
  if (format?.type !== 'json_schema') return undefined;
  const { name, schema = { type: 'object' } } = format.json_schema;
  return JSON.stringify(refusing(`response_format '${name}'`, 'response_format', () => makeValue(schema)));
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

/** Says what of a schema keeps the stand-in from making a value for it. */
class UnmadeValue extends Error {}

type Schema = Record<string, unknown>;

/** The reading of one schema. It ends after so many steps, however large or twisted the schema is. */
interface Reading {
  root: unknown;
  steps: number;
}

const maxSteps = 10_000;
const maxLevels = 64;
const maxItems = 500;
const maxTextCharacters = 10_000;

/** Keywords that bind a value and that the stand-in does not understand: of any value, and of values of one type. */
const beyond: Record<string, readonly string[]> = {
  any: ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$dynamicRef', '$recursiveRef'],
  string: ['pattern', 'format'],
  number: ['multipleOf'],
  array: ['prefixItems', 'additionalItems', 'uniqueItems', 'contains', 'unevaluatedItems'],
  object: [
    ...['patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'unevaluatedProperties'],
    ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ],
};

/** Keywords that bind no value. */
const remarks = /^(?:title|description|default|examples|deprecated|readOnly|writeOnly|definitions|\$.*)$/;

const startReading = (root: unknown): Reading => ({ root, steps: 0 });

/** A small value that the schema accepts, in which texts say "stand-in". */
function makeValue(root: unknown): unknown {
  const made = make(startReading(root), root);
  if (!accepts(startReading(root), root, made)) throw new UnmadeValue('no value was found that fits it');
  return made;
}

/** A value for the schema, which fits if any does. */
function make(reading: Reading, given: unknown, level = 0): unknown {
  const schema = readSchema(reading, given, level);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.find((each) => accepts(reading, schema, each, level));
  const type = typeOf(schema);
  if (type === 'object') return makeObject(reading, schema, level);
  if (type === 'array') {
    const length = boundOf(schema, 'minItems', 0);
    if (length > maxItems) throw new UnmadeValue(`it asks for more than ${maxItems} items`);
    return Array.from({ length }, () => make(reading, schema.items ?? true, level + 1));
  }
  if (type === 'string') return makeText(schema);
  if (type === 'boolean') return true;
  if (type !== 'number' && type !== 'integer') return null;
  return numbersFor(schema, type === 'integer').find((number) => fitsNumber(schema, number));
}

/** The type that is asked for, null only where nothing else is; without one, what the keywords speak of. */
function typeOf(schema: Schema): unknown {
  const types = [schema.type ?? []].flat();
  if (types.length > 0) return types.find((type) => type !== 'null') ?? 'null';
  if (['properties', 'required', 'additionalProperties'].some((keyword) => keyword in schema))
    return 'object';
  if ('items' in schema || 'minItems' in schema) return 'array';
  const isNumber = /^(?:exclusiveM|m)(?:in|ax)imum$/;
  return Object.keys(schema).some((keyword) => isNumber.test(keyword)) ? 'number' : 'string';
}

/** The required members alone. */
const makeObject = (reading: Reading, schema: Schema, level: number): Schema =>
  Object.fromEntries(
    listOf(schema.required).map((name) => [
      String(name),
      make(reading, memberSchema(schema, String(name)), level + 1),
    ]),
  );

function makeText(schema: Schema): string {
  const least = boundOf(schema, 'minLength', 0);
  if (least > maxTextCharacters) throw new UnmadeValue(`"minLength" is more than ${maxTextCharacters}`);
  return 'stand-in'.padEnd(least, ' stand-in').slice(0, boundOf(schema, 'maxLength', maxTextCharacters));
}

/** Numbers at and beside the bounds, and 0 before them. */
function numbersFor(schema: Schema, isInteger: boolean): number[] {
  const lower = Math.max(lowest(schema, 'minimum'), lowest(schema, 'exclusiveMinimum'));
  const upper = Math.min(highest(schema, 'maximum'), highest(schema, 'exclusiveMaximum'));
  const near = isInteger
    ? [Math.ceil(lower), Math.floor(lower) + 1, Math.floor(upper), Math.ceil(upper) - 1]
    : [lower, upper, (lower + upper) / 2, lower + 1, upper - 1];
  // Adding 0 makes 0 of -0, which JSON writes as 0.
  return [0, ...near.filter(Number.isFinite).map((number) => number + 0)];
}

/** Whether the schema accepts the value. */
function accepts(reading: Reading, given: unknown, value: unknown, level = 0): boolean {
  if (given === false || value === undefined) return false;
  const schema = readSchema(reading, given, level);
  const { type, enum: allowed } = schema;
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) return false;
  if ('const' in schema && !isDeepStrictEqual(schema.const, value)) return false;
  if (Array.isArray(allowed) && !allowed.some((each) => isDeepStrictEqual(each, value))) return false;
  if (typeof value === 'number') return refuseBeyond(schema, 'number') && fitsNumber(schema, value);
  if (typeof value === 'string')
    return refuseBeyond(schema, 'string') && isWithin(schema, 'minLength', 'maxLength', [...value].length);
  if (Array.isArray(value))
    return (
      refuseBeyond(schema, 'array') &&
      isWithin(schema, 'minItems', 'maxItems', value.length) &&
      value.every((item) => accepts(reading, schema.items ?? true, item, level + 1))
    );
  if (!isFields(value)) return true;
  return (
    refuseBeyond(schema, 'object') &&
    listOf(schema.required).every((name) => Object.hasOwn(value, String(name))) &&
    Object.entries(value).every(([name, each]) =>
      accepts(reading, memberSchema(schema, name), each, level + 1),
    )
  );
}

/** Follows `$ref`, and throws for what the stand-in does not understand. */
function readSchema(reading: Reading, given: unknown, level: number): Schema {
  reading.steps++;
  if (reading.steps > maxSteps) throw new UnmadeValue('it is too large');
  if (level > maxLevels) throw new UnmadeValue('it is nested too deep, or refers to itself without an end');
  if (given === true) return {};
  if (given === false) throw new UnmadeValue('a part that it asks for accepts nothing');
  if (!isFields(given))
    throw new UnmadeValue('something other than an object or a boolean is used as a schema');
  refuseBeyond(given, 'any');
  if (!('$ref' in given)) return given;
  const beside = Object.keys(given).find((keyword) => keyword !== '$ref' && !remarks.test(keyword));
  if (beside !== undefined)
    throw new UnmadeValue(`the stand-in does not understand "${beside}" beside "$ref"`);
  return readSchema(reading, resolve(reading.root, given.$ref), level + 1);
}

function refuseBeyond(schema: Schema, type: string): true {
  const unknown = beyond[type]?.find((keyword) => keyword in schema && !isIdle(schema, keyword));
  if (unknown !== undefined) throw new UnmadeValue(`the stand-in does not understand "${unknown}"`);
  return true;
}

const isIdle = (schema: Schema, keyword: string): boolean =>
  keyword === 'uniqueItems' && schema.uniqueItems === false;

/** Follows `#`, `#/$defs/name` and other pointers into the document. */
function resolve(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    throw new UnmadeValue('the stand-in cannot follow the $ref to another document');
  let target = root;
  for (const step of reference.split('/').slice(1))
    target = entryOf(target, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (target === undefined) throw new UnmadeValue(`the $ref ${JSON.stringify(reference)} leads nowhere`);
  return target;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const entryOf = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const memberSchema = ({ properties, additionalProperties = true }: Schema, name: string): unknown =>
  entryOf(properties, name) ?? additionalProperties;

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isFields(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** A bound that is a number; any other form counts as none. */
const boundOf = (schema: Schema, keyword: string, none: number): number =>
  typeof schema[keyword] === 'number' ? schema[keyword] : none;

const lowest = (schema: Schema, keyword: string): number =>
  boundOf(schema, keyword, Number.NEGATIVE_INFINITY);
const highest = (schema: Schema, keyword: string): number =>
  boundOf(schema, keyword, Number.POSITIVE_INFINITY);

const isWithin = (schema: Schema, least: string, most: string, count: number): boolean =>
  count >= boundOf(schema, least, 0) && count <= highest(schema, most);

const fitsNumber = (schema: Schema, value: number): boolean =>
  value >= lowest(schema, 'minimum') &&
  value <= highest(schema, 'maximum') &&
  value > lowest(schema, 'exclusiveMinimum') &&
  value < highest(schema, 'exclusiveMaximum');
