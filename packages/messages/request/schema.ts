import {
  atMost,
  described,
  limits,
  named,
  nameOf,
  notList,
  nullishFlag,
  nullishInteger,
  nullishNumber,
  nullishObject,
  nullishText,
  shownAs,
  unchecked,
} from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';

/*
 * A request: what is checked, and what the OpenAPI document says of it. Blocks and tools are only described here, because
 * they are checked where they are translated.
 */

/** An object with whatever fields. */
const anyObject = v.pipe(notList, v.looseObject({}, 'must be an object'));

/** An object of a shape that only the document has. */
const objectShownAs = (schema: v.GenericSchema) => shownAs(schema, anyObject);

const block = named(
  'MessageBlock',
  described(
    'A part of a message. A translated model reads `text`, `image`, `document`, `search_result`, `tool_use`, `tool_result` and its own `thinking`; of other kinds it is told nothing.',
    v.looseObject({
      type: v.string(),
      text: nullishText('Of `text`: what is said.'),
      source: nullishObject(
        'Of an `image` or a `document`: `base64`, `url`, or of a document `text` or `content`. No files are kept here.',
      ),
      id: nullishText('Of `tool_use`: the id of the call.'),
      name: nullishText('Of `tool_use`: the tool that is called.'),
      input: nullishObject('Of `tool_use`: its arguments.'),
      tool_use_id: nullishText('Of `tool_result`: the id of the call.'),
      content: described(
        'Of `tool_result`: its text, or its blocks.',
        v.nullish(v.union([v.string(), v.array(v.looseObject({}))])),
      ),
      is_error: nullishFlag('Of `tool_result`: whether the call failed.'),
      thinking: nullishText('Of `thinking`: what was thought.'),
      signature: nullishText('Of `thinking`: what it was signed with, unchanged.'),
      cache_control: nullishObject('Where a prefix ends that is worth keeping, for models that are told so.'),
    }),
  ),
);

const message = named(
  'MessageParam',
  v.looseObject({
    role: described(
      '`user` or `assistant`. `system` behind other messages is an instruction from there on.',
      v.string(),
    ),
    content: described(
      'A text, or blocks. A `system` message with `output_config` needs none.',
      v.nullish(v.union([v.string(), v.array(block)])),
    ),
  }),
);

const tool = named(
  'MessageTool',
  v.looseObject({
    type: nullishText('`custom`, or absent. Tools that the provider runs are refused by name.'),
    name: nullishText('The name that the model calls.'),
    description: nullishText('What it does, for the model.'),
    input_schema: nullishObject('The JSON Schema of the arguments.'),
    strict: nullishFlag('Whether the arguments must keep to the schema.'),
    defer_loading: nullishFlag('Whether the model is told of it only once a `tool_reference` names it.'),
  }),
);

const toolChoice = v.looseObject({
  type: described('`auto`, `any`, `tool` or `none`.', v.string()),
  name: nullishText('Of `tool`: its name.'),
  disable_parallel_tool_use: nullishFlag('Whether one answer may call one tool alone.'),
});

const thinking = v.looseObject({
  type: described('`enabled`, `adaptive` or `disabled`. Disabled thinking is not told.', v.string()),
});

const outputConfig = v.looseObject({
  effort: nullishText('How much effort the answer is worth, for models that are told so.'),
  format: nullishObject('`json_schema` with a `schema` that the answer keeps to.'),
});

/** The caller's own user. The other fields of `metadata` say nothing. */
const metadata = v.looseObject({
  user_id: described(
    'A mark of the caller for their own user.',
    v.nullish(v.pipe(v.string('must be a string'), atMost(limits.markCharacters))),
  ),
});

const optionalObject = (description: string, schema: v.GenericSchema) =>
  described(description, v.nullish(objectShownAs(schema)));

/** The fields that counting reads, too. */
const countedFields = {
  model: v.pipe(
    nameOf('The id of a chat or vision model of `GET /v1/models`.'),
    v.nonEmpty('must not be empty'),
    atMost(limits.markCharacters),
  ),
  messages: described(
    'The conversation.',
    v.pipe(
      v.array(objectShownAs(message), 'must be a list of messages'),
      v.minLength(1, 'must have at least one message'),
    ),
  ),
  system: described(
    'The system prompt: a text, or `text` blocks.',
    v.nullish(
      shownAs(
        v.union([v.string(), v.array(block)]),
        v.union([v.string(), v.array(anyObject)], 'must be a string or a list of blocks'),
      ),
    ),
  ),
  tools: described(
    'Tools that the model may call. The caller carries the calls out.',
    v.nullish(v.array(objectShownAs(tool), 'must be a list of tools')),
  ),
  tool_choice: optionalObject('Whether the model may or must call tools, or which one.', toolChoice),
  thinking: optionalObject('How a model thinks that can.', thinking),
  output_config: optionalObject('The form of the answer, and its effort.', outputConfig),
  skills: v.optional(unchecked(skillFieldSchema)),
};

export const countRequest = v.looseObject(countedFields);

/** The fields of a request that are read here. Others reach upstreams that speak the protocol themselves, and nobody else. */
export const messageRequest = v.looseObject({
  ...countedFields,
  max_tokens: described(
    'The most tokens of the answer, thinking included. More than the model can write is as much as it can.',
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
    ),
  ),
  stream: nullishFlag('Whether the answer comes as events.'),
  stop_sequences: described(
    'Texts before which the answer ends.',
    v.nullish(v.array(v.string('must be a string'), 'must be a list of strings')),
  ),
  temperature: nullishNumber('How much chance there is in the choice of words.'),
  top_p: nullishNumber('The share of probability that words are chosen from, up to 1.'),
  top_k: nullishInteger('How many of the likeliest words are chosen from.', 0),
  metadata: described(
    'Whom the request is for.',
    v.nullish(shownAs(metadata, v.pipe(notList, v.looseObject(metadata.entries, 'must be an object')))),
  ),
});

/** Fields that are read here under these names alone. */
export const readNames: ReadonlySet<string> = new Set([
  ...Object.keys(messageRequest.entries),
  ...['cache_control', 'service_tier', 'speed', 'output_format', 'thread', 'context_management'],
  'anthropic_beta',
]);
