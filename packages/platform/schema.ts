import * as v from 'valibot';

/** Comes before an object or a record in a pipe: with valibot (1.5) a list passes for both. */
export const notList = v.custom<Record<string, unknown>>(
  (input) => !Array.isArray(input),
  'must be an object',
);

/** Half a surrogate pair has no bytes of its own: it could be neither stored as sent nor digested. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must be well-formed Unicode');
