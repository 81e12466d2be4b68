import { described, named } from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';
import { fields, flag, integer, list, number, text } from './fields.ts';

export const inputItem = named(
  'ResponseInputItem',
  described(
    'A message, a call of a tool, its output, reasoning of an earlier answer, or an `item_reference` to an item of a kept response.',
    v.looseObject({
      type: text(
        'The kind of the item: `message` if absent, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output`, `reasoning` or `item_reference`.',
      ),
      id: text('Its id. Of an `item_reference`, that of the item which it stands for.'),
      role: text('Who speaks in a message: `user`, `assistant`, `system` or `developer`.'),
      content: described(
        'The text of a message, or its parts.',
        v.nullish(v.union([v.string(), v.array(v.looseObject({}))])),
      ),
    }),
  ),
);

const tool = named(
  'ResponseTool',
  v.looseObject({
    type: described(
      'A chat model takes `function`, `custom` and a `namespace` of them, a run the names of its own tools, such as `web_search`, and `mcp` for a server of tools.',
      v.string(),
    ),
    name: text('The name that the model calls.'),
    description: text('What it does, for the model.'),
    parameters: fields('The JSON Schema of the arguments.'),
    strict: flag('Whether the arguments must keep to the schema.'),
    server_label: text('Of `mcp`: the label of the server, which its calls have.'),
    server_url: text('Of `mcp`: the https address of the server.'),
    authorization: text('Of `mcp`: the token that the server is sent. It is never shown.'),
    allowed_tools: list(
      "Of `mcp`: the only tools of the server that may be called, by the server's names.",
      v.string(),
    ),
    server_description: text('Of `mcp`: what the server is for. It changes nothing.'),
    require_approval: text('Of `mcp`: `never`, also if it is absent.'),
  }),
);

const format = v.looseObject({
  type: described('What is asked for.', v.picklist(['text', 'json_object', 'json_schema'])),
  name: text('A name for the schema.'),
  schema: fields('The JSON Schema of the answer.'),
  strict: flag('Whether the answer must keep to the schema.'),
});

/** A request as callers may write it. `responsesRequest` is what of it is checked here. */
export const responseRequest = v.looseObject({
  model: described(
    'The id of a chat or vision model of `GET /v1/models`, or `agent:default` for a run.',
    v.pipe(v.string(), v.nonEmpty()),
  ),
  input: described('What the model answers.', v.optional(v.union([v.string(), v.array(inputItem)]))),
  instructions: text('The system prompt. An earlier one does not hold any more.'),
  previous_response_id: text(
    'A kept response of the same key. Its input and output, and what came before them, stand before this input. Runs take none.',
  ),
  store: flag('Whether the response is kept for a day: true unless it is false. A run is kept always.'),
  stream: flag('Whether the answer comes as events.'),
  background: flag('Whether a run is answered before it has begun. Chat models take no `true`.'),
  skills: v.optional(skillFieldSchema),
  max_output_tokens: integer('The most tokens of the answer, reasoning included.', 1),
  tools: list('Tools that the model may call. The caller carries the calls out.', tool),
  tool_choice: described(
    'Whether the model may or must call tools, or which one.',
    v.nullish(v.union([v.picklist(['none', 'auto', 'required']), v.looseObject({})])),
  ),
  parallel_tool_calls: flag('Whether one answer may call several tools.'),
  text: described(
    'The form of the answer.',
    v.nullish(
      v.looseObject({
        format: described('The form of the text.', v.nullish(format)),
        verbosity: text('How much is said.'),
      }),
    ),
  ),
  reasoning: described(
    'How a model thinks that can.',
    v.nullish(
      v.looseObject({ effort: text('Such as `low`, `medium` or `high`.'), summary: text('Is echoed.') }),
    ),
  ),
  temperature: number('How much chance there is in the choice of words.'),
  top_p: number('The share of probability that words are chosen from, up to 1.'),
  top_logprobs: integer('How many of the likeliest tokens come at each place.', 0),
  include: list(
    '`message.output_text.logprobs` adds the probabilities of tokens. The other values that OpenAI has change nothing.',
    v.string(),
  ),
  metadata: fields('Is echoed.'),
  user: text('Is echoed.'),
});
