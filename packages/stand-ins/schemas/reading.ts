import { isFields } from '@errand/platform';
/** Says what of a schema keeps the stand-in from making a value for it. */
export class UnmadeValue extends Error {}

export type Schema = Record<string, unknown>;

/** The reading of one schema. It ends after so many steps, however large or twisted the schema is. */
export interface Reading {
  root: unknown;
  steps: number;
}

const maxSteps = 10_000;
const maxLevels = 64;

/** Keywords that bind a value and that the stand-in does not understand: of any value, and of values of one type. */
const beyond: Record<string, readonly string[]> = {
  any: ['allOf', 'not', 'if', '$dynamicRef', '$recursiveRef'],
  array: ['prefixItems', 'additionalItems', 'uniqueItems', 'contains', 'unevaluatedItems'],
  object: [
    ...['patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'unevaluatedProperties'],
    ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ],
};

/** Keywords that bind no value. */
const remarks = /^(?:title|description|default|examples|deprecated|readOnly|writeOnly|definitions|\$.*)$/;

export const startReading = (root: unknown): Reading => ({ root, steps: 0 });

/** Follows `$ref`, and throws for what the stand-in does not understand. */
export function readSchema(reading: Reading, given: unknown, level: number): Schema {
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

export function refuseBeyond(schema: Schema, type: string): true {
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

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const entryOf = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const memberSchema = ({ properties, additionalProperties = true }: Schema, name: string): unknown =>
  entryOf(properties, name) ?? additionalProperties;

/** A bound that is a number; any other form counts as none. */
export const boundOf = (schema: Schema, keyword: string, none: number): number =>
  typeof schema[keyword] === 'number' ? schema[keyword] : none;

export const lowest = (schema: Schema, keyword: string): number =>
  boundOf(schema, keyword, Number.NEGATIVE_INFINITY);
export const highest = (schema: Schema, keyword: string): number =>
  boundOf(schema, keyword, Number.POSITIVE_INFINITY);
