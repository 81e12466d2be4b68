import { countField, described, named } from '@errand/platform';
import * as v from 'valibot';

const part = (description: string) =>
  described(description, v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))));

export const usage = named(
  'ChatUsage',
  described(
    'The tokens of a completion.',
    v.looseObject({
      prompt_tokens: countField('Tokens that were read.'),
      completion_tokens: countField('Tokens that were written.'),
      total_tokens: v.optional(countField('Both together.')),
      prompt_tokens_details: described(
        'Parts of `prompt_tokens`.',
        v.nullish(
          v.looseObject({
            cached_tokens: part("Tokens from the provider's prompt cache."),
            cache_write_tokens: part("Tokens written into the provider's prompt cache."),
          }),
        ),
      ),
      completion_tokens_details: described(
        'Parts of `completion_tokens`.',
        v.nullish(v.looseObject({ reasoning_tokens: part('Tokens of hidden reasoning.') })),
      ),
    }),
  ),
);
