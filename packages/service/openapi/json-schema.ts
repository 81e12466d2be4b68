import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export interface JsonSchema {
  [keyword: string]: unknown;
}

/**
 * A schema as the document has it. Named schemas in it still stand where they are used, with their name as `title`.
 * Checks that JSON Schema cannot express are left out.
 */
export const toSchema = (schema: v.GenericSchema): JsonSchema => {
  const { $schema: _, ...written } = toJsonSchema(schema, {
    // The last schema of a pipe counts: the schemas before it are checks that JSON Schema cannot express.
    typeMode: 'output',
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideSchema: ({ valibotSchema, jsonSchema }) => tidy(valibotSchema.type, jsonSchema as JsonSchema),
  });
  return written as JsonSchema;
};

/** Adds the types that generators of clients need, and leaves out keywords without effect. */
function tidy(type: string, schema: JsonSchema): JsonSchema {
  const { required, propertyNames, ...rest } = schema;
  return {
    ...(type === 'literal' && { type: typeof schema.const }),
    ...rest,
    ...(type === 'loose_object' && { additionalProperties: true }),
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(saysMore(propertyNames) && { propertyNames }),
  };
}

const saysMore = (names: unknown): boolean =>
  typeof names === 'object' && names !== null && Object.keys(names).some((keyword) => keyword !== 'type');
