import { impactSchema } from '@errand/models';
import {
  countField,
  described,
  envelopeSchema,
  named,
  nullishText,
  numberField,
  textField,
} from '@errand/platform';
import * as v from 'valibot';
import { toolCall } from './completion-request.ts';

const tokenProbability = v.looseObject({
  token: textField('The text of the token.'),
  logprob: described('The natural logarithm of its probability.', v.nullable(v.number())),
  bytes: described('Its bytes in UTF-8.', v.nullish(v.array(v.number()))),
});

const logprobs = named(
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

const part = (description: string) =>
  described(description, v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))));

const usage = named(
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

const finishReason = nullishText(
  'Why the answer ended: `stop`, `length`, `tool_calls`, `content_filter` or a reason of the model.',
);

const index = v.optional(countField('Its place among the answers, from 0.'));
const role = 'Who speaks: `assistant`.';
const refusal = nullishText('Why the model does not answer.');

const identity = {
  id: v.optional(v.string()),
  created: v.optional(numberField('Seconds since the epoch.')),
  model: textField('The id that was asked for.'),
  system_fingerprint: described("The provider's mark for its set-up.", v.nullish(v.string())),
};

const answered = named(
  'ChatAnswerMessage',
  described(
    'The answer. Fields of the model may stand beside those that are listed.',
    v.looseObject({
      role: v.optional(textField(role)),
      content: nullishText('The text of the answer.'),
      refusal,
      tool_calls: described('Tools that the model calls.', v.nullish(v.array(toolCall))),
    }),
  ),
);

// The objects at the top are not loose: with other properties allowed, types could not tell a chunk from an error.
export const completion = named(
  'ChatCompletion',
  v.object({
    ...identity,
    object: v.optional(v.literal('chat.completion')),
    choices: described(
      'The answers: one, or `n` of them.',
      v.array(
        named(
          'ChatChoice',
          v.looseObject({
            index,
            message: answered,
            finish_reason: finishReason,
            logprobs: described(
              'Tokens with their probabilities, if they were asked for.',
              v.nullish(logprobs),
            ),
          }),
        ),
      ),
    ),
    usage,
    impact: impactSchema,
  }),
);

const toolCallDelta = named(
  'ChatToolCallDelta',
  v.looseObject({
    index: v.optional(countField('Which call the piece belongs to.')),
    id: v.nullish(v.string()),
    type: v.nullish(v.string()),
    function: described(
      'The function that is called.',
      v.nullish(
        v.looseObject({
          name: nullishText('Its name, once.'),
          arguments: nullishText('A piece of the JSON of its arguments.'),
        }),
      ),
    ),
  }),
);

const delta = named(
  'ChatDelta',
  described(
    'What a chunk adds. Fields of the model may stand beside those that are listed.',
    v.looseObject({
      role: nullishText(role),
      content: nullishText('A piece of the answer.'),
      refusal,
      tool_calls: described('Pieces of calls of tools.', v.nullish(v.array(toolCallDelta))),
    }),
  ),
);

const chunk = named(
  'ChatCompletionChunk',
  v.object({
    ...identity,
    object: v.optional(v.literal('chat.completion.chunk')),
    choices: described(
      'What the chunk adds to each answer; empty on a chunk that has usage alone.',
      v.array(
        named(
          'ChatChunkChoice',
          v.looseObject({
            index,
            delta,
            finish_reason: finishReason,
            logprobs: described(
              'Tokens with their probabilities, if they were asked for.',
              v.nullish(logprobs),
            ),
          }),
        ),
      ),
    ),
    usage: described('The tokens of the completion. On one of the last chunks.', v.nullish(usage)),
    impact: v.optional(impactSchema),
  }),
);

/** The data of an event of a stream. */
export const completionEvent = named(
  'ChatCompletionEvent',
  v.pipe(
    v.union([chunk, envelopeSchema]),
    v.description('The JSON of one event of a stream. The last event, `[DONE]`, is none.'),
  ),
);
