import * as v from 'valibot';
import { isFields } from './given-fields.ts';
import { type EntryBounds, isWithin, shownAs } from './schema.ts';

/** Reads an object that may be a map of `parseOrderedJson`. */
export const objectOf = <S extends v.GenericSchema>(schema: S, problem = 'must be an object'): S =>
  shownAs(
    schema,
    v.pipe(
      v.custom<object>(isFields, problem),
      v.transform((value) => (value instanceof Map ? Object.fromEntries(value) : value)),
      schema,
    ),
  ) as unknown as S;

/**
 * A record that is read from a map of `parseOrderedJson`, or from an object, and is a map: its keys keep their order, and may be
 * any text. The number of entries is checked before the entries, and a value only if its key is right.
 */
export const orderedRecord = <S extends v.GenericSchema>(
  key: v.GenericSchema<string>,
  value: S,
  bounds: EntryBounds,
  problem = 'must be an object',
) =>
  shownAs(
    v.pipe(v.record(key, value), v.minEntries(bounds.least), v.maxEntries(bounds.most)),
    v.pipe(
      v.custom<object>(isFields, problem),
      v.transform((input): [string, unknown][] => [
        ...(input instanceof Map ? input : Object.entries(input)),
      ]),
      v.check(({ length }) => isWithin(bounds, length), bounds.problem),
      v.rawTransform(({ dataset, addIssue }) => {
        const read = new Map<string, v.InferOutput<S>>();
        for (const [name, sent] of dataset.value) {
          const keyRead = key['~run']({ value: name }, {});
          const each = keyRead.issues ? keyRead : value['~run']({ value: sent }, {});
          read.set(name, each.value as v.InferOutput<S>);
          for (const { message, received, path = [] } of each.issues ?? [])
            addIssue({ message, received, path: [placeOf(dataset.value, name, sent), ...path] });
        }
        return read;
      }),
    ),
  );

const placeOf = (input: unknown[], key: string, value: unknown): v.UnknownPathItem => ({
  type: 'unknown',
  origin: 'value',
  input,
  key,
  value,
});
