import { described, named, textField } from '@errand/platform';
import * as v from 'valibot';

const tokenProbability = v.looseObject({
  token: textField('The text of the token.'),
  logprob: described('The natural logarithm of its probability.', v.nullable(v.number())),
  bytes: described('Its bytes in UTF-8.', v.nullish(v.array(v.number()))),
});

export const logprobs = named(
  'ChatLogprobs',
  described(
    'Tokens with their probabilities, if they were asked for.',
    v.looseObject({
      content: described(
        'Tokens of the answer.',
        v.nullish(
          v.array(
            v.looseObject({
              ...tokenProbability.entries,
              top_logprobs: v.optional(
                described('The likeliest tokens at this place.', v.array(tokenProbability)),
              ),
            }),
          ),
        ),
      ),
      refusal: described('Tokens of a refusal.', v.nullish(v.array(tokenProbability))),
    }),
  ),
);
