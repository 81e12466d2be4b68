import { described, fieldIssue, flagField, limits, textField, wellFormed } from '@errand/platform';
import * as v from 'valibot';
import { namePattern } from './name-pattern.ts';

/** The length in Unicode code points, which is how JSON Schema counts. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) i++;
    count++;
  }
  return count;
}

/** At most so many code points. */
export const atMostCharacters = (limit: number) =>
  v.check(
    (text: string) => countCharacters(text) <= limit,
    `must have at most ${limit.toLocaleString('en')} characters`,
  );

const text = v.string('must be a string');

/** JSON Schema counts code points, too. */
export const allows = (limit: number, what = '') =>
  v.metadata<string, { description: string; maxLength: number }>({
    description: `At most ${limit} code points${what}`,
    maxLength: limit,
  });

export const nameField = v.pipe(
  text,
  allows(limits.skillNameCharacters, ': letters, digits, hyphens and underscores, a letter or digit first'),
  atMostCharacters(limits.skillNameCharacters),
  v.check(
    (name) => namePattern.test(name.slice(0, limits.skillNameCharacters)) && /^[\w-]*$/.test(name),
    'must start with a letter or digit and hold only letters, digits, hyphens and underscores',
  ),
);

export const descriptionField = v.pipe(
  text,
  allows(limits.skillDescriptionCharacters),
  atMostCharacters(limits.skillDescriptionCharacters),
  wellFormed,
);

export const enabledField = (noun: string) =>
  described(`Whether the ${noun} may be used.`, v.boolean('must be true or false'));

/** What is told of a thing in lists. `use` is what its description says of it. */
export const summaryFields = (noun: string, use: string) => ({
  id: v.string(),
  name: textField('The name that requests use.'),
  description: textField(`${use}; empty if not given.`),
  enabled: flagField(`Whether the ${noun} may be used.`),
  scope: textField(
    "Whose it is: `user`, `organisation` or the operator's, which is called `provider` by default.",
  ),
  version: described(
    `The number of the newest published version; null for ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} without versions.`,
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  createdAt: v.string(),
  updatedAt: v.string(),
});

export const wrongBody = (problem: string) => fieldIssue('body', problem);

export function requireObject(body: unknown): asserts body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrongBody('must be a JSON object');
}

/** Throws unless one of the fields of a patch is there. */
export function requireChange(patch: object, fields: string): void {
  if (Object.keys(patch).length === 0) throw wrongBody(`must have at least one of ${fields}`);
}
