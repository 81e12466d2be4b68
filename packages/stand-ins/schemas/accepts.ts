import { isDeepStrictEqual } from 'node:util';
import { isFields } from '@errand/platform';
import { fitsFormat } from './formats.ts';
import { fitsPattern } from './patterns.ts';
import {
  boundOf,
  highest,
  listOf,
  lowest,
  memberSchema,
  type Reading,
  readSchema,
  refuseBeyond,
  type Schema,
} from './reading.ts';

/** Whether the schema accepts the value. */
export function accepts(reading: Reading, given: unknown, value: unknown, level = 0): boolean {
  if (given === false || value === undefined) return false;
  const schema = readSchema(reading, given, level);
  return (
    fitsSelf(schema, value) &&
    fitsBranches(reading, schema, value, level) &&
    fitsParts(reading, schema, value, level)
  );
}

/** What the schema says of the value as a whole. */
function fitsSelf(schema: Schema, value: unknown): boolean {
  const { type, enum: allowed } = schema;
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) return false;
  if ('const' in schema && !isDeepStrictEqual(schema.const, value)) return false;
  if (Array.isArray(allowed) && !allowed.some((each) => isDeepStrictEqual(each, value))) return false;
  if (typeof value === 'number') return fitsNumber(schema, value);
  return typeof value !== 'string' || fitsText(schema, value);
}

function fitsBranches(reading: Reading, { anyOf, oneOf }: Schema, value: unknown, level: number): boolean {
  const fits = (branch: unknown): boolean => accepts(reading, branch, value, level + 1);
  if (Array.isArray(anyOf) && !anyOf.some(fits)) return false;
  return !Array.isArray(oneOf) || oneOf.filter(fits).length === 1;
}

/** What it says of the items or members. */
function fitsParts(reading: Reading, schema: Schema, value: unknown, level: number): boolean {
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

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isFields(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

const isWithin = (schema: Schema, least: string, most: string, count: number): boolean =>
  count >= boundOf(schema, least, 0) && count <= highest(schema, most);

export const fitsText = (schema: Schema, text: string): boolean =>
  isWithin(schema, 'minLength', 'maxLength', [...text].length) &&
  fitsFormat(schema.format, text) &&
  (schema.pattern === undefined || fitsPattern(schema.pattern, text));

export const fitsNumber = (schema: Schema, value: number): boolean =>
  value >= lowest(schema, 'minimum') &&
  value <= highest(schema, 'maximum') &&
  value > lowest(schema, 'exclusiveMinimum') &&
  value < highest(schema, 'exclusiveMaximum') &&
  Number.isInteger(value / boundOf(schema, 'multipleOf', value || 1));
