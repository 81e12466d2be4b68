import { limits } from '@errand/platform';
import * as v from 'valibot';

const wording = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(limits.searchQueryCharacters, `must have at most ${limits.searchQueryCharacters} characters`),
);

/** What the tools that read long material are asked for. */
export const askedFields = {
  query: v.optional(
    v.pipe(
      v.union([
        wording,
        v.pipe(
          v.array(wording),
          v.maxLength(limits.queriesPerSearch, `must have at most ${limits.queriesPerSearch} entries`),
        ),
      ]),
      v.description(
        'What to look for, as a list of several wordings in words that the material may use: of long material, the passages that fit them best are shown.',
      ),
    ),
  ),
  from: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description('The number of a passage: the material is shown from there on.'),
    ),
  ),
};

/** What the model has asked for, without texts that it left empty. */
export function askedFor({ query, from }: { query?: string | string[]; from?: number | undefined }) {
  const wordings = [query ?? []].flat().filter((one) => one !== '');
  return { query: wordings.length > 1 ? wordings : wordings[0], from };
}
