/** What the evaluation's schemas have of JSON Schema. */
export interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  minItems?: number;
  minimum?: number;
  pattern?: string;
  description?: string;
  additionalProperties?: false;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** Whether the value fits the schema. No object may have a property that is not named. */
export function fits(schema: Schema, value: unknown): boolean {
  const { type, properties = {}, required = [], items, anyOf, minItems = 0, minimum, pattern } = schema;
  if (anyOf && !anyOf.some((one) => fits(one, value))) return false;
  if (type !== undefined && ![type].flat().some((one) => typeTests[one]!(value))) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (typeof value === 'number' && minimum !== undefined && value < minimum) return false;
  if (typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return false;
  if (Array.isArray(value))
    return value.length >= minItems && value.every((one) => items === undefined || fits(items, one));
  if (!isObject(value)) return true;
  return (
    required.every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, one]) => Object.hasOwn(properties, key) && fits(properties[key]!, one))
  );
}
