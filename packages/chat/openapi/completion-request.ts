import { limits, named } from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';
import { chatMessage } from './messages.ts';

const number = (description: string) => v.nullish(v.pipe(v.number(), v.description(description)));

const count = (description: string) =>
  v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.description(description)));

const tool = named(
  'ChatTool',
  v.looseObject({
    type: v.pipe(v.string(), v.description('`function` or `custom`.')),
    function: v.optional(
      v.looseObject({
        name: v.string(),
        description: v.optional(v.string()),
        parameters: v.optional(v.pipe(v.looseObject({}), v.description('The JSON Schema of the arguments.'))),
        strict: v.nullish(v.boolean()),
      }),
    ),
  }),
);

const toolChoice = v.union([
  v.pipe(v.string(), v.description('`none`, `auto` or `required`.')),
  v.looseObject({ type: v.string(), function: v.optional(v.looseObject({ name: v.string() })) }),
]);

const responseFormat = v.pipe(
  v.looseObject({
    type: v.pipe(v.string(), v.description('`text`, `json_object` or `json_schema`.')),
    json_schema: v.optional(
      v.looseObject({
        name: v.optional(v.string()),
        description: v.optional(v.string()),
        schema: v.optional(v.looseObject({})),
        strict: v.nullish(v.boolean()),
      }),
    ),
  }),
  v.description('The form of the answer.'),
);

const streamOptions = v.looseObject({
  include_usage: v.nullish(
    v.pipe(
      v.boolean(),
      v.description('Sends `usage` and `impact` in a chunk of their own, with empty `choices`.'),
    ),
  ),
});

/** A request as callers may write it. `chatRequest` is what of it is checked here; the rest is checked by the model. */
export const completionRequest = v.looseObject({
  model: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.description('The id of a chat or vision model of `GET /v1/models`.'),
  ),
  messages: v.pipe(v.array(chatMessage), v.minLength(1)),
  stream: v.nullish(v.pipe(v.boolean(), v.description('Whether the answer comes in chunks.'))),
  stream_options: v.nullish(streamOptions),
  skills: v.optional(skillFieldSchema),
  temperature: number('How much chance there is in the choice of words.'),
  top_p: number('The share of probability that words are chosen from.'),
  max_tokens: count('The most tokens of an answer.'),
  max_completion_tokens: count('The newer name of `max_tokens`.'),
  n: count(`How many answers, at most ${limits.choicesPerCompletion} unless the operator says otherwise.`),
  stop: v.nullish(
    v.pipe(v.union([v.string(), v.array(v.string())]), v.description('Texts at which the answer ends.')),
  ),
  seed: v.nullish(v.pipe(v.number(), v.integer(), v.description('Makes repetitions more alike.'))),
  presence_penalty: number('Keeps from words that stand there already.'),
  frequency_penalty: number('Keeps from words that stand there often.'),
  logit_bias: v.nullish(v.record(v.string(), v.number())),
  logprobs: v.nullish(v.pipe(v.boolean(), v.description('Whether tokens come with their probabilities.'))),
  top_logprobs: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  tools: v.nullish(v.array(tool)),
  tool_choice: v.nullish(toolChoice),
  parallel_tool_calls: v.nullish(v.boolean()),
  response_format: v.nullish(responseFormat),
  reasoning_effort: v.nullish(v.pipe(v.string(), v.description('How much a model thinks that can.'))),
  user: v.nullish(v.string()),
});
