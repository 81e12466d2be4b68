import { readSchema, type SchemaText } from '@errand/outputs';
import { type OrderedObject, parseOrderedJson, shownAs } from '@errand/platform';
import * as v from 'valibot';

/** A caller's schema with its keys in their order: the value of the run has its keys in the same. */
export const outputSchemaField: v.GenericSchema<unknown, SchemaText> = shownAs(
  v.pipe(
    v.looseObject({}),
    v.description(
      'A JSON Schema, whose root is an object. The answer is then JSON that fits it, and `output` of the run is the value.',
    ),
  ),
  v.pipe(
    v.custom<OrderedObject>((value) => value instanceof Map, 'must be an object'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const read = readSchema(dataset.value);
      if ('schema' in read) return read.schema;
      const { place, problem } = read.issue;
      addIssue({ message: problem, ...(place !== '' && { path: [placeOf(dataset.value, place)] }) });
      return NEVER;
    }),
  ),
);

const placeOf = (input: unknown, place: string): v.UnknownPathItem => ({
  type: 'unknown',
  origin: 'value',
  input,
  key: place,
  value: undefined,
});

/** The body with its schema as `outputSchemaField` takes it. `text` is the body's, bounded in its nesting. */
export function withOrderedSchema(json: unknown, text: string): unknown {
  if (!(json instanceof Object) || !Object.hasOwn(json, 'outputSchema')) return json;
  const { value } = parseOrderedJson(text);
  return { ...json, outputSchema: value instanceof Map ? value.get('outputSchema') : undefined };
}
