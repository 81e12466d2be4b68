import type { Schema } from '../../score/fits.ts';
import type { ExpectedField } from '../../score/record.ts';

/** A field of a record: its schema, and what the corpus knows of it. */
export interface Field extends Omit<ExpectedField, 'pointer'> {
  schema: Schema;
  /** It may be left out. */
  isOptional?: boolean;
  /** As the corpus has it. */
  sentence?: string;
}

/** Fields by their names; those of an object within it have its description. */
export type Shape = Readonly<Record<string, Field | Part>>;

interface Part {
  description: string;
  within: Shape;
}

const isPart = (one: Field | Part): one is Part => 'within' in one;

export const schemaOf = (shape: Shape): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(shape).map(([key, one]) => [
      key,
      isPart(one) ? { description: one.description, ...schemaOf(one.within) } : one.schema,
    ]),
  ),
  required: Object.keys(shape).filter((key) => !('isOptional' in shape[key]! && shape[key].isOptional)),
  additionalProperties: false,
});

export const fieldsOf = (shape: Shape, pointer = ''): (Field & { pointer: string })[] =>
  Object.entries(shape).flatMap(([key, one]) =>
    isPart(one) ? fieldsOf(one.within, `${pointer}/${key}`) : [{ ...one, pointer: `${pointer}/${key}` }],
  );

export const text = (description: string): Schema => ({ type: 'string', description });
export const whole = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

export const orNull = (schema: Schema): Schema =>
  schema.enum
    ? { ...schema, type: [schema.type ?? [], 'null'].flat(), enum: [...schema.enum, null] }
    : { ...schema, type: [schema.type ?? [], 'null'].flat() };
