import { fieldIssue } from '../errors.ts';
import { editDistance } from '../nearest.ts';

/** Shorter names are too much like others to be guessed. */
const guessedCharacters = 8;
/** No field has a longer name. */
const mostCharacters = 64;

/** A body with more fields is no mistake in writing. */
const mostFields = 1_000;

const bare = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');

/** The name that another one is meant to be: it differs in case, `_` and `-` alone or, if it is long, in one letter. */
export function meantBy(name: string, names: readonly string[]): string | undefined {
  if (name.length > mostCharacters) return undefined;
  const given = bare(name);
  return names.find((each) => {
    const meant = bare(each);
    if (name === each || Math.abs(given.length - meant.length) > 1) return false;
    return given === meant || (meant.length >= guessedCharacters && editDistance(given, meant) === 1);
  });
}

/** Throws `invalid_request` for a field that is meant to be one of those that cost money, so that no cap is lost. */
export function refuseMisspelt(body: unknown, costly: readonly string[], known: object): void {
  for (const name of Object.keys(body ?? {}).slice(0, mostFields)) {
    const meant = Object.hasOwn(known, name) ? undefined : meantBy(name, costly);
    if (meant !== undefined) throw fieldIssue(name, `is not a field: write ${meant}`);
  }
}
