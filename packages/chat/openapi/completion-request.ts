import { described, limits, named, textField } from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';
import { chatMessage } from './messages.ts';

const text = (description: string) => described(description, v.nullish(v.string()));
const number = (description: string) => described(description, v.nullish(v.number()));
const flag = (description: string) => described(description, v.nullish(v.boolean()));
const integer = (description: string, minimum: number) =>
  described(description, v.nullish(v.pipe(v.number(), v.integer(), v.minValue(minimum))));

const jsonSchema = (description: string) => v.optional(described(description, v.looseObject({})));

const tool = named(
  'ChatTool',
  v.looseObject({
    type: textField('`function` or `custom`.'),
    function: v.optional(
      described(
        'The function, if the tool is one.',
        v.looseObject({
          name: textField('The name that the model calls.'),
          description: v.optional(textField('What it does, for the model.')),
          parameters: jsonSchema('The JSON Schema of the arguments.'),
          strict: flag('Whether the arguments must keep to the schema.'),
        }),
      ),
    ),
  }),
);

const toolChoice = v.union([
  v.picklist(['none', 'auto', 'required']),
  v.looseObject({
    type: textField('`function`, or a type that the model knows.'),
    function: v.optional(
      described('The function that must be called.', v.looseObject({ name: textField('Its name.') })),
    ),
  }),
]);

const responseFormat = v.looseObject({
  type: described('What is asked for.', v.picklist(['text', 'json_object', 'json_schema'])),
  json_schema: v.optional(
    described(
      'What `json_schema` asks for.',
      v.looseObject({
        name: v.optional(textField('A name for the schema.')),
        description: v.optional(textField('What the answer is for, for the model.')),
        schema: jsonSchema('The JSON Schema of the answer.'),
        strict: flag('Whether the answer must keep to the schema.'),
      }),
    ),
  ),
});

const streamOptions = v.looseObject({
  include_usage: flag('Sends `usage` and `impact` in a chunk of their own, with empty `choices`.'),
});

/** A request as callers may write it. `chatRequest` is what of it is checked here; the rest is checked by the model. */
export const completionRequest = v.looseObject({
  model: described('The id of a chat or vision model of `GET /v1/models`.', v.pipe(v.string(), v.nonEmpty())),
  messages: described('The conversation so far, oldest first.', v.pipe(v.array(chatMessage), v.minLength(1))),
  stream: flag('Whether the answer comes in chunks.'),
  stream_options: described('How the answer is streamed.', v.nullish(streamOptions)),
  skills: v.optional(skillFieldSchema),
  temperature: number('How much chance there is in the choice of words.'),
  top_p: number('The share of probability that words are chosen from, up to 1.'),
  max_tokens: integer('The most tokens of an answer.', 1),
  max_completion_tokens: integer('The newer name of `max_tokens`.', 1),
  n: integer(
    `How many answers, at most ${limits.choicesPerCompletion} unless the operator says otherwise.`,
    1,
  ),
  stop: described('Texts at which the answer ends.', v.nullish(v.union([v.string(), v.array(v.string())]))),
  seed: described('Makes repetitions more alike.', v.nullish(v.pipe(v.number(), v.integer()))),
  presence_penalty: number('Keeps from words that stand there already.'),
  frequency_penalty: number('Keeps from words that stand there often.'),
  logit_bias: described(
    'What is added to the logit of a token, by the id of the token.',
    v.nullish(v.record(v.string(), v.number())),
  ),
  logprobs: flag('Whether tokens come with their probabilities.'),
  top_logprobs: integer('How many of the likeliest tokens come at each place, with `logprobs`.', 0),
  tools: described(
    'Tools that the model may call. The caller carries the calls out.',
    v.nullish(v.array(tool)),
  ),
  tool_choice: described('Whether the model may or must call tools, or which one.', v.nullish(toolChoice)),
  parallel_tool_calls: flag('Whether one answer may call several tools.'),
  response_format: described('The form of the answer.', v.nullish(responseFormat)),
  reasoning_effort: text('How much a model thinks that can, such as `low`, `medium` or `high`.'),
  user: text('A mark of the caller for their own user.'),
});
