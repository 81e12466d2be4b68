import * as v from 'valibot';
import { numberParameter } from './http/openapi/parts.ts';
import { limits } from './limits.ts';

/** Stands before an object or a record in a pipe, since valibot (1.5) accepts a list as either. */
export const notList = v.custom<Record<string, unknown>>(
  (input) => !Array.isArray(input),
  'must be an object',
);

/** Refuses half of a surrogate pair: it has no bytes in UTF-8, so it could be neither stored as sent nor digested. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must be well-formed Unicode');

const metadataText = (most: number) =>
  v.pipe(v.string('must be a string'), v.maxLength(most, `must have at most ${most} characters`), wellFormed);

const tooManyEntries = `must have at most ${limits.metadataEntries} entries`;

/** Texts by their names, which a caller keeps with something. */
export const metadataMap = v.pipe(
  notList,
  // Checked before the entries are looked at: a body can have a million of them.
  v.check(
    (input) => !(input instanceof Object) || Object.keys(input).length <= limits.metadataEntries,
    tooManyEntries,
  ),
  v.record(
    metadataText(limits.metadataKeyCharacters),
    metadataText(limits.metadataValueCharacters),
    'must be an object',
  ),
  v.maxEntries(limits.metadataEntries, tooManyEntries),
);

/** A query parameter that is a whole number from `minimum` to `maximum`; `fallback` if it is absent. */
export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}$/, 'must be a whole number'),
      v.transform(Number),
      v.minValue(minimum, `must be at least ${minimum}`),
      v.maxValue(maximum, `must be at most ${maximum}`),
    ),
    String(fallback),
  );

/** `cursor` of a paged route, and other texts of a query. */
export const queryText = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(limits.parameterCharacters, `must have at most ${limits.parameterCharacters} characters`),
  ),
);

/** `limit` of a paged route. */
export const pageLimit = (fallback: number = limits.pageEntriesByDefault) =>
  wholeNumber(1, limits.pageEntries, fallback);

/** `pageLimit` in the OpenAPI document. */
export const describePageLimit = (fallback: number = limits.pageEntriesByDefault) =>
  numberParameter('Entries on the page.', { minimum: 1, maximum: limits.pageEntries, fallback });

/** One of some words, which the refusal lists. */
export const oneOf = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** The ids that callers may ask a model by. */
export const modelId = v.regex(
  /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/,
  'must be 1 to 128 letters, digits and . _ : @ / -',
);

/** Whether calls of a server's tools whose outcome is unknown are made again. */
export const repeatRules = ['always', 'never'] as const;

/** Labels of servers of tools. The first two underscores of a tool's name end its label. */
export const remoteLabel = v.pipe(
  v.string('must be a string'),
  v.regex(
    /^(?!.*__)[a-z0-9_-]{0,31}[a-z0-9-]$/,
    'must be 1 to 32 small letters, digits, _ and -, without two _ in a row or one at the end',
  ),
);

/** Whether a text has at most so many code points. A text that is far too long is not taken apart. */
export const hasAtMost = (text: string, characters: number): boolean =>
  text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters);

/** The names that the agent saves values under. A value of another name cannot exist. */
export const isSavedValueName = (name: string): boolean =>
  name !== '' && hasAtMost(name, limits.savedValueNameCharacters);

/** Checks by one schema, and is described by another one: where JSON Schema has no words for how it is checked. */
export const shownAs = <S extends v.GenericSchema>(
  description: v.GenericSchema,
  checking: S,
): v.GenericSchema<unknown, v.InferOutput<S>> => ({
  ...description,
  '~run': (dataset, config) => checking['~run'](dataset, config),
});

/** Is described and takes whatever is sent: a model checks it, or nobody does. */
export const unchecked = (description: v.GenericSchema) => shownAs(description, v.unknown());

/** How many entries there may be, and what is said to fewer or more. */
export interface EntryBounds {
  least: number;
  most: number;
  problem: string;
}

export const isWithin = ({ least, most }: EntryBounds, entries: number) =>
  entries >= least && entries <= most;

/** A list whose length is checked before its entries: of a list that is too long nothing else is told. */
export const boundedList = <S extends v.GenericSchema>(
  entry: S,
  bounds: EntryBounds,
  problem = bounds.problem,
) =>
  shownAs(
    v.pipe(v.array(entry), v.minLength(bounds.least), v.maxLength(bounds.most)),
    v.pipe(
      v.custom<unknown[]>(Array.isArray, problem),
      v.check(({ length }) => isWithin(bounds, length), bounds.problem),
      v.array(entry),
    ),
  );
