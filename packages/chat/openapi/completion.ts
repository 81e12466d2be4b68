import { impactSchema } from '@errand/models';
import { named } from '@errand/platform';
import * as v from 'valibot';
import { chatErrorEnvelope } from '../schema.ts';
import { toolCall } from './messages.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const usage = named(
  'ChatUsage',
  v.looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: v.optional(count),
    prompt_tokens_details: v.nullish(
      v.looseObject({ cached_tokens: v.nullish(count), cache_write_tokens: v.nullish(count) }),
    ),
    completion_tokens_details: v.nullish(v.looseObject({ reasoning_tokens: v.nullish(count) })),
  }),
);

const impact = named('Impact', impactSchema);

const tokenProbability = v.looseObject({
  token: v.string(),
  logprob: v.nullable(v.number()),
  bytes: v.nullish(v.array(v.number())),
});

const logprobs = named(
  'ChatLogprobs',
  v.looseObject({
    content: v.nullish(
      v.array(
        v.looseObject({
          ...tokenProbability.entries,
          top_logprobs: v.optional(v.array(tokenProbability)),
        }),
      ),
    ),
    refusal: v.nullish(v.array(tokenProbability)),
  }),
);

const finishReason = v.nullish(
  v.pipe(v.string(), v.description('`stop`, `length`, `tool_calls`, `content_filter` or one of the model.')),
);

const identity = {
  id: v.optional(v.string()),
  created: v.optional(v.pipe(v.number(), v.description('Seconds since the epoch.'))),
  model: v.pipe(v.string(), v.description('The id that was asked for.')),
  system_fingerprint: v.nullish(v.string()),
};

const answered = named(
  'ChatAnswerMessage',
  v.looseObject({
    role: v.optional(v.string()),
    content: v.nullish(v.string()),
    refusal: v.nullish(v.string()),
    tool_calls: v.nullish(v.array(toolCall)),
  }),
);

export const completion = named(
  'ChatCompletion',
  v.looseObject({
    ...identity,
    object: v.optional(v.literal('chat.completion')),
    choices: v.array(
      named(
        'ChatChoice',
        v.looseObject({
          index: v.optional(count),
          message: answered,
          finish_reason: finishReason,
          logprobs: v.nullish(logprobs),
        }),
      ),
    ),
    usage,
    impact,
  }),
);

const toolCallDelta = named(
  'ChatToolCallDelta',
  v.looseObject({
    index: v.optional(count),
    id: v.nullish(v.string()),
    type: v.nullish(v.string()),
    function: v.nullish(
      v.looseObject({
        name: v.nullish(v.string()),
        arguments: v.nullish(v.pipe(v.string(), v.description('A piece of the JSON.'))),
      }),
    ),
  }),
);

const delta = named(
  'ChatDelta',
  v.looseObject({
    role: v.nullish(v.string()),
    content: v.nullish(v.pipe(v.string(), v.description('A piece of the answer.'))),
    refusal: v.nullish(v.string()),
    tool_calls: v.nullish(v.array(toolCallDelta)),
  }),
);

const chunk = named(
  'ChatCompletionChunk',
  v.looseObject({
    ...identity,
    object: v.optional(v.literal('chat.completion.chunk')),
    choices: v.array(
      named(
        'ChatChunkChoice',
        v.looseObject({
          index: v.optional(count),
          delta,
          finish_reason: finishReason,
          logprobs: v.nullish(logprobs),
        }),
      ),
    ),
    usage: v.nullish(usage),
    impact: v.optional(impact),
  }),
);

/** The data of an event of a stream. */
export const completionEvent = named(
  'ChatCompletionEvent',
  v.pipe(
    v.union([chunk, named('ChatError', chatErrorEnvelope)]),
    v.description('The JSON of one event of a stream. The last event, `[DONE]`, is none.'),
  ),
);
