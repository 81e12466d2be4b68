import { isDeepStrictEqual } from 'node:util';
import { formats } from './formats.ts';
import {
  asSchema,
  entryOf,
  isObject,
  itemSchema,
  type Keywords,
  limitOf,
  listOf,
  matchesPattern,
  memberSchemas,
  resolveReference,
  type Schema,
  type Search,
  spend,
  typesOf,
  UnmadeValue,
} from './schema.ts';

/** Whether a part of the value, the whole if none is given, fits an inner schema. */
type Fits = (schema: unknown, part?: unknown) => boolean;

const maxDepth = 200;

/** Whether the schema accepts the value, as far as the stand-in understands schemas. */
export function accepts(search: Search, schema: Schema, value: unknown, depth = 0): boolean {
  spend(search);
  if (depth > maxDepth) throw new UnmadeValue('it refers to itself without an end');
  if (typeof schema === 'boolean') return schema;
  const fits: Fits = (inner, part = value) => accepts(search, asSchema(inner), part, depth + 1);
  return fitsCombination(search, schema, value, fits) && fitsType(search, schema, value, fits);
}

function fitsCombination(search: Search, schema: Keywords, value: unknown, fits: Fits): boolean {
  const { enum: allowed, allOf, anyOf, oneOf } = schema;
  const types = typesOf(schema);
  if (types && !types.some((type) => isOfType(value, type))) return false;
  if ('const' in schema && !isDeepStrictEqual(schema.const, value)) return false;
  if (Array.isArray(allowed)) {
    spend(search, allowed.length / 10);
    if (!allowed.some((each) => isDeepStrictEqual(each, value))) return false;
  }
  if ('$ref' in schema && !fits(resolveReference(search, schema.$ref))) return false;
  if (!listOf(allOf).every((each) => fits(each))) return false;
  if (Array.isArray(anyOf) && !anyOf.some((each) => fits(each))) return false;
  if (Array.isArray(oneOf) && oneOf.filter((each) => fits(each)).length !== 1) return false;
  if ('not' in schema && fits(schema.not)) return false;
  return !('if' in schema) || fits((fits(schema.if) ? schema.then : schema.else) ?? true);
}

function fitsType(search: Search, schema: Keywords, value: unknown, fits: Fits): boolean {
  if (typeof value === 'number') return fitsNumber(schema, value);
  if (typeof value === 'string') return fitsText(search, schema, value);
  if (Array.isArray(value)) return fitsItems(search, schema, value, fits);
  return !isObject(value) || fitsMembers(search, schema, value, fits);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

const isWithin = (schema: Keywords, least: string, most: string, count: number): boolean =>
  count >= limitOf(schema, least, 0) && count <= limitOf(schema, most, Number.POSITIVE_INFINITY);

const fitsNumber = (schema: Keywords, value: number): boolean =>
  value >= limitOf(schema, 'minimum', Number.NEGATIVE_INFINITY) &&
  value <= limitOf(schema, 'maximum', Number.POSITIVE_INFINITY) &&
  value > limitOf(schema, 'exclusiveMinimum', Number.NEGATIVE_INFINITY) &&
  value < limitOf(schema, 'exclusiveMaximum', Number.POSITIVE_INFINITY) &&
  (schema.multipleOf === undefined || Number.isInteger(value / limitOf(schema, 'multipleOf', 1)));

function fitsText(search: Search, schema: Keywords, value: string): boolean {
  if (!isWithin(schema, 'minLength', 'maxLength', [...value].length)) return false;
  const format = entryOf(formats, String(schema.format)) as (typeof formats)[string] | undefined;
  if (format && !format.fits(value)) return false;
  return schema.pattern === undefined || matchesPattern(search, schema.pattern, value);
}

function fitsItems(search: Search, schema: Keywords, value: unknown[], fits: Fits): boolean {
  if (!isWithin(schema, 'minItems', 'maxItems', value.length)) return false;
  if (!value.every((item, index) => fits(itemSchema(schema, index), item))) return false;
  if ('contains' in schema) {
    const found = value.filter((item) => fits(schema.contains, item)).length;
    if (!isWithin({ minContains: 1, ...schema }, 'minContains', 'maxContains', found)) return false;
  }
  if (schema.uniqueItems !== true) return true;
  spend(search, value.length ** 2 / 10);
  return value.every((item, index) => value.findIndex((other) => isDeepStrictEqual(other, item)) === index);
}

function fitsMembers(search: Search, schema: Keywords, value: Keywords, fits: Fits): boolean {
  const { required, propertyNames = true, dependentRequired, dependentSchemas } = schema;
  const names = Object.keys(value);
  const has = (name: unknown) => Object.hasOwn(value, String(name));
  if (!isWithin(schema, 'minProperties', 'maxProperties', names.length)) return false;
  return (
    listOf(required).every(has) &&
    names.every(
      (name) =>
        fits(propertyNames, name) &&
        memberSchemas(search, schema, name).every((each) => fits(each, value[name])) &&
        listOf(entryOf(dependentRequired, name)).every(has) &&
        fits(entryOf(dependentSchemas, name) ?? true),
    )
  );
}
