import * as v from 'valibot';
import { limits } from '../../limits.ts';

/** Says what a value means, and its unit. Around `nullable` and `nullish`, or generated types lack it at the field. */
export const described = <S extends v.GenericSchema>(description: string, schema: S): S =>
  v.pipe(schema, v.description(description)) as unknown as S;

export const textField = (description: string) => described(description, v.string());

/** At most so many characters, in UTF-16 units. */
export const atMost = (characters: number) =>
  v.maxLength<string, number, string>(characters, `must have at most ${characters} characters`);

/** A text of a request. `most` is the most characters that it may have. */
export const boundedText = (description: string, most: number = limits.markCharacters) =>
  described(description, v.pipe(v.string('must be a string'), atMost(most)));

export const flagField = (description: string) => described(description, v.boolean());

/** A number of any size. */
export const numberField = (description: string) => described(description, v.number());

/** A whole number from 0. */
export const countField = (description: string) =>
  described(description, v.pipe(v.number(), v.integer(), v.minValue(0)));

export const timeField = (description: string) =>
  described(description, v.pipe(v.string(), v.isoTimestamp()));

/** `cursor` of a page. */
export const cursorField = () => textField("The next page's `cursor`; absent on the last page.");

/* Fields that may be absent or null. Their messages are what is said to a wrong value where the schema checks, too. */

export const nullishText = (description: string) =>
  described(description, v.nullish(v.string('must be a string')));

/** A text of a request that names something: a longer one than any name is refused as an unknown name is. */
export const nameOf = (description: string, most: number = limits.markCharacters) =>
  v.pipe(v.string('must be a string'), v.description(description), v.metadata({ maxLength: most }));

/** `boundedText`, which may be absent or null. */
export const nullishBoundedText = (description: string, most: number = limits.markCharacters) =>
  described(description, v.nullish(v.pipe(v.string('must be a string'), atMost(most))));

export const nullishFlag = (description: string) =>
  described(description, v.nullish(v.boolean('must be true or false')));

export const nullishNumber = (description: string) =>
  described(description, v.nullish(v.number('must be a number')));

export const nullishInteger = (description: string, minimum: number) =>
  described(
    description,
    v.nullish(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be a whole number'),
        v.minValue(minimum, `must be at least ${minimum}`),
      ),
    ),
  );

/** An object of whatever fields. */
export const nullishObject = (description: string) => described(description, v.nullish(v.looseObject({})));
