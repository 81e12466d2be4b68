import {
  atMost,
  boundedList,
  described,
  limits,
  metadataMap,
  named,
  nameOf,
  notList,
  nullishBoundedText,
  nullishFlag,
  nullishInteger,
  nullishNumber,
  nullishObject,
  nullishText,
  oneOf,
  shownAs,
  unchecked,
} from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';

/*
 * A request: what is checked, and what the OpenAPI document says of it. Items, tools and formats are only described here,
 * because they are checked where they are translated.
 */

/** An object with whatever fields. */
const anyObject = v.pipe(notList, v.looseObject({}, 'must be an object'));

/** An object of a shape that only the document has. */
const objectShownAs = (schema: v.GenericSchema) => shownAs(schema, anyObject);

export const inputItem = named(
  'ResponseInputItem',
  described(
    'A message, a call of a tool, its output, reasoning of an earlier answer, or an `item_reference` to an item of a kept response.',
    v.looseObject({
      type: nullishText(
        'The kind of the item: `message` if absent, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output`, `reasoning` or `item_reference`. A run takes `message`, `function_call_output` and `mcp_approval_response`.',
      ),
      id: nullishText('Its id. Of an `item_reference`, that of the item which it stands for.'),
      role: nullishText('Who speaks in a message: `user`, `assistant`, `system` or `developer`.'),
      call_id: nullishText('Of a call or its output: the id of the call.'),
      output: described(
        'Of an output: its text, or its parts.',
        v.nullish(v.union([v.string(), v.array(v.looseObject({}))])),
      ),
      approval_request_id: nullishText(
        'Of an `mcp_approval_response`: the request of a run that it answers.',
      ),
      approve: nullishFlag('Of an `mcp_approval_response`: whether the call may be made.'),
      reason: nullishText('Of an `mcp_approval_response`: why not. The model reads it.'),
      content: described(
        'The text of a message, or its parts.',
        v.nullish(v.union([v.string(), v.array(v.looseObject({}))])),
      ),
    }),
  ),
);

const toolNames = v.looseObject({
  tool_names: described("The server's names of tools.", v.array(v.string())),
});

const tool = named(
  'ResponseTool',
  v.looseObject({
    type: described(
      'A chat model takes `function`, `custom` and a `namespace` of them, a run `function`, the names of its own tools, such as `web_search`, and `mcp` for a server of tools.',
      v.string(),
    ),
    name: nullishText('The name that the model calls.'),
    description: nullishText('What it does, for the model.'),
    parameters: nullishObject('The JSON Schema of the arguments.'),
    strict: nullishFlag('Whether the arguments must keep to the schema.'),
    server_label: nullishText('Of `mcp`: the label of the server, which its calls have.'),
    server_url: nullishText('Of `mcp`: the https address of the server.'),
    authorization: nullishText('Of `mcp`: the token that the server is sent. It is never shown.'),
    allowed_tools: described(
      "Of `mcp`: the only tools of the server that may be called, by the server's names.",
      v.nullish(v.union([v.array(v.string()), toolNames])),
    ),
    server_description: nullishText('Of `mcp`: what the server is for. It changes nothing.'),
    require_approval: described(
      'Of `mcp`: which calls are made only once they are approved; none if it is absent. With `never` as an object, all tools but those are asked about, which `allowed_tools` has to name.',
      v.nullish(
        v.union([
          v.picklist(['always', 'never']),
          v.looseObject({
            always: described('Tools whose calls need approval.', v.nullish(toolNames)),
            never: described('Tools whose calls need none.', v.nullish(toolNames)),
          }),
        ]),
      ),
    ),
  }),
);

const format = v.looseObject({
  type: described('What is asked for.', v.picklist(['text', 'json_object', 'json_schema'])),
  name: nullishText('A name for the schema.'),
  schema: nullishObject('The JSON Schema of the answer.'),
  strict: nullishFlag('Whether the answer must keep to the schema.'),
});

export const textFields = {
  format: described('The form of the text.', v.nullish(objectShownAs(format))),
  verbosity: nullishBoundedText('How much is said.'),
};

export const reasoningFields = {
  effort: nullishBoundedText('Such as `low`, `medium` or `high`.'),
  summary: described(
    'How much of what it thinks is told.',
    v.nullish(oneOf(['auto', 'concise', 'detailed'])),
  ),
};

/** Of `include`: asks for the probabilities of tokens. */
export const logprobsName = 'message.output_text.logprobs';

/** The fields that the document describes. */
const describedFields = {
  model: v.pipe(
    v.string('must be a string'),
    v.nonEmpty('must not be empty'),
    atMost(limits.markCharacters),
    v.description(
      'The id of a chat or vision model of `GET /v1/models`, or `agent:default`, or `agent:` and the name of a stored agent, for a run.',
    ),
  ),
  input: described(
    'What the model answers.',
    v.optional(
      v.union([v.string(), v.array(objectShownAs(inputItem))], 'must be a string or a list of items'),
    ),
  ),
  instructions: nullishText('The system prompt. An earlier one does not hold any more.'),
  previous_response_id: described(
    'A kept response of the same key. Its input and output, and what came before them, stand before this input. A run goes on from a run, which has ended.',
    v.nullish(nameOf('The id of the response.')),
  ),
  store: nullishFlag(
    'Whether the response is kept for a day: true unless it is false. A run is kept always.',
  ),
  stream: nullishFlag('Whether the answer comes as events.'),
  background: nullishFlag('Whether a run is answered before it has begun. Chat models take no `true`.'),
  skills: v.optional(unchecked(skillFieldSchema)),
  max_output_tokens: nullishInteger('The most tokens of the answer, reasoning included.', 1),
  tools: described(
    'Tools that the model may call. The caller carries the calls out.',
    v.nullish(v.array(objectShownAs(tool), 'must be a list of tools')),
  ),
  tool_choice: described(
    'Whether the model may or must call tools, or which one.',
    v.nullish(
      shownAs(
        v.union([v.picklist(['none', 'auto', 'required']), v.looseObject({})]),
        v.union([v.string(), anyObject], 'must be a string or an object'),
      ),
    ),
  ),
  parallel_tool_calls: nullishFlag('Whether one answer may call several tools.'),
  text: described(
    'The form of the answer.',
    v.nullish(v.pipe(notList, v.looseObject(textFields, 'must be an object'))),
  ),
  reasoning: described(
    'How a model thinks that can.',
    v.nullish(v.pipe(notList, v.looseObject(reasoningFields, 'must be an object'))),
  ),
  temperature: nullishNumber('How much chance there is in the choice of words.'),
  top_p: nullishNumber('The share of probability that words are chosen from, up to 1.'),
  top_logprobs: nullishInteger('How many of the likeliest tokens come at each place.', 0),
  include: described(
    '`message.output_text.logprobs` adds the probabilities of tokens. The other values that OpenAI has change nothing.',
    v.nullish(
      boundedList(v.pipe(v.string('must be a string'), atMost(limits.markCharacters)), {
        least: 0,
        most: limits.includedNames,
        problem: `must be a list of at most ${limits.includedNames} strings`,
      }),
    ),
  ),
  metadata: described('Is echoed.', v.nullish(metadataMap)),
  user: nullishBoundedText('Is echoed.'),
  safety_identifier: nullishBoundedText('Is echoed.', limits.safetyIdentifierCharacters),
  prompt_cache_key: nullishBoundedText('Is echoed.', limits.promptCacheKeyCharacters),
};

const penalty = v.nullish(v.number('must be a number'));

/** The fields of a request that are read here or shown again. Whatever else it has is refused by `refuseUnknown`. */
export const responsesRequest = v.looseObject({
  ...describedFields,
  max_tool_calls: nullishInteger('Is echoed.', 1),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  truncation: nullishBoundedText('Takes `disabled` alone.'),
  service_tier: nullishBoundedText('Is echoed.'),
});

/** A request as the document has it. */
export const responseRequest = v.looseObject(describedFields);

export type ResponsesRequest = v.InferOutput<typeof responsesRequest>;

export type Item = Record<string, unknown>;
