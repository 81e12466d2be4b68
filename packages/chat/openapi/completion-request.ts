import {
  described,
  named,
  nullishFlag,
  nullishInteger,
  nullishNumber,
  nullishText,
  textField,
} from '@errand/platform';
import * as v from 'valibot';
import { chatRequest } from '../schema.ts';

const textPart = named(
  'ChatTextPart',
  v.looseObject({ type: v.literal('text'), text: textField('The text of the part.') }),
);

const imagePart = named(
  'ChatImagePart',
  v.looseObject({
    type: v.literal('image_url'),
    image_url: described(
      'The image.',
      v.union([
        v.looseObject({
          url: textField('An address, or a data URL.'),
          detail: v.optional(textField('How closely the model looks, such as `low`, `high` or `auto`.')),
        }),
        v.string(),
      ]),
    ),
  }),
);

const otherPart = named(
  'ChatOtherPart',
  described('A part that the model knows.', v.looseObject({ type: v.string() })),
);

const content = v.union([v.string(), v.array(v.union([textPart, imagePart, otherPart])), v.null()]);

export const toolCall = named(
  'ChatToolCall',
  v.looseObject({
    id: v.string(),
    type: v.optional(v.string()),
    function: v.optional(
      described(
        'The function that is called.',
        v.looseObject({
          name: textField('Its name.'),
          arguments: textField('JSON, as the model wrote it.'),
        }),
      ),
    ),
  }),
);

/** A message of a request. Fields of the model's own may stand beside those that are listed. */
const chatMessage = named(
  'ChatMessage',
  v.looseObject({
    ...chatRequest.entries.messages.item.entries,
    content: v.optional(described('A text, or parts such as texts and images.', content)),
    name: nullishText('Who speaks, where several have one role.'),
    tool_calls: described('Tools that an `assistant` message calls.', v.nullish(v.array(toolCall))),
    tool_call_id: nullishText('The call that a `tool` message answers.'),
    refusal: nullishText('Why an `assistant` message does not answer.'),
  }),
);

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
          strict: nullishFlag('Whether the arguments must keep to the schema.'),
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
        strict: nullishFlag('Whether the answer must keep to the schema.'),
      }),
    ),
  ),
});

/** A request as callers may write it: what is checked here, and what the model checks. */
export const completionRequest = v.looseObject({
  ...chatRequest.entries,
  messages: described('The conversation so far, oldest first.', v.pipe(v.array(chatMessage), v.minLength(1))),
  temperature: nullishNumber('How much chance there is in the choice of words.'),
  top_p: nullishNumber('The share of probability that words are chosen from, up to 1.'),
  stop: described('Texts at which the answer ends.', v.nullish(v.union([v.string(), v.array(v.string())]))),
  seed: described('Makes repetitions more alike.', v.nullish(v.pipe(v.number(), v.integer()))),
  presence_penalty: nullishNumber('Keeps from words that stand there already.'),
  frequency_penalty: nullishNumber('Keeps from words that stand there often.'),
  logit_bias: described(
    'What is added to the logit of a token, by the id of the token.',
    v.nullish(v.record(v.string(), v.number())),
  ),
  logprobs: nullishFlag('Whether tokens come with their probabilities.'),
  top_logprobs: nullishInteger('How many of the likeliest tokens come at each place, with `logprobs`.', 0),
  tools: described(
    'Tools that the model may call. The caller carries the calls out.',
    v.nullish(v.array(tool)),
  ),
  tool_choice: described('Whether the model may or must call tools, or which one.', v.nullish(toolChoice)),
  parallel_tool_calls: nullishFlag('Whether one answer may call several tools.'),
  response_format: described('The form of the answer.', v.nullish(responseFormat)),
  reasoning_effort: nullishText('How much a model thinks that can, such as `low`, `medium` or `high`.'),
});
