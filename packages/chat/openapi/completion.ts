import { impactSchema } from '@errand/models';
import { countField, described, envelopeSchema, named, numberField, textField } from '@errand/platform';
import * as v from 'valibot';
import { logprobs } from './logprobs.ts';
import { toolCall } from './messages.ts';
import { usage } from './usage.ts';

const finishReason = described(
  'Why the answer ended: `stop`, `length`, `tool_calls`, `content_filter` or a reason of the model.',
  v.nullish(v.string()),
);

const index = v.optional(countField('Its place among the answers, from 0.'));
const role = 'Who speaks: `assistant`.';
const refusal = described('Why the model does not answer.', v.nullish(v.string()));

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
      content: described('The text of the answer.', v.nullish(v.string())),
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
          name: described('Its name, once.', v.nullish(v.string())),
          arguments: described('A piece of the JSON of its arguments.', v.nullish(v.string())),
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
      role: described(role, v.nullish(v.string())),
      content: described('A piece of the answer.', v.nullish(v.string())),
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
