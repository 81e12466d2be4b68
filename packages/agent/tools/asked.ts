import { limits } from '@errand/platform';
import * as v from 'valibot';

/** What the tools that read long material are asked for. */
export const askedFields = {
  query: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(
        limits.searchQueryCharacters,
        `must have at most ${limits.searchQueryCharacters} characters`,
      ),
      v.description('What to look for: of long material, the passages that fit it best are shown.'),
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

/** The model's wish, without what it left empty. */
export const askedFor = ({ query, from }: { query?: string; from?: number | undefined }) => ({
  query: query || undefined,
  from,
});
