import { isDeepStrictEqual } from 'node:util';
import { type HeaderName, responseHeaders } from '@errand/platform';
import { type JsonSchema, toSchema } from './json-schema.ts';

type Kind = 'schemas' | 'responses' | 'headers';

export interface Components {
  /** Keeps each named schema once, and refers to it wherever it stands. */
  refer(schema: JsonSchema): JsonSchema;
  response(name: string, response: object): JsonSchema;
  /** Refers to a header that is always there. */
  header(name: HeaderName): JsonSchema;
  written(): Record<Kind, Record<string, object>>;
}

/** Values in a schema that are no schemas. */
const values = new Set(['example', 'examples', 'default', 'const', 'enum', 'required', 'mapping']);

export function createComponents(): Components {
  const kept: Record<Kind, Record<string, object>> = { schemas: {}, responses: {}, headers: {} };
  const keep = (kind: Kind, name: string, component: object): JsonSchema => {
    const before = kept[kind][name];
    if (before && !isDeepStrictEqual(before, component))
      throw new Error(`two different ${kind} of the OpenAPI document are named ${name}`);
    kept[kind][name] = component;
    return { $ref: `#/components/${kind}/${name}` };
  };
  const referIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referIn);
    return typeof value === 'object' && value !== null ? refer(value as JsonSchema) : value;
  };
  const refer = ({ title, ...schema }: JsonSchema): JsonSchema => {
    const inside = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [
        keyword,
        values.has(keyword) ? value : referIn(value),
      ]),
    );
    const known = withDiscriminator(inside, kept.schemas);
    if (typeof title === 'string') return keep('schemas', title, known);
    // A property may be called `title`.
    return title === undefined ? known : { title: referIn(title), ...known };
  };
  return {
    refer,
    response: (name, response) => keep('responses', name, response),
    header: (name) => keep('headers', name, writeHeader(name, true)),
    written: () => kept,
  };
}

export function writeHeader(name: HeaderName, required: boolean): JsonSchema {
  const { description, schema, example } = responseHeaders[name];
  return { description, required, schema: toSchema(schema), example };
}

/** Tells the alternatives of a schema apart by their `type`, if each is named and has one. */
function withDiscriminator(schema: JsonSchema, schemas: Record<string, object>): JsonSchema {
  const { oneOf } = schema;
  if (!Array.isArray(oneOf)) return schema;
  const mapping = Object.fromEntries(
    (oneOf as { $ref?: string }[]).map(({ $ref }) => [typeOf(schemas, $ref), $ref]),
  );
  if ('undefined' in mapping) return schema;
  return { ...schema, discriminator: { propertyName: 'type', mapping } };
}

function typeOf(schemas: Record<string, object>, ref: string | undefined): string | undefined {
  const schema = schemas[ref?.split('/').at(-1) ?? ''] as
    | { properties?: { type?: { const?: string } } }
    | undefined;
  return schema?.properties?.type?.const;
}
