import { notList } from '@errand/platform';
import * as v from 'valibot';

const text = v.string('must be a string');
const flag = v.nullish(v.boolean('must be true or false'));
const number = v.nullish(v.number('must be a number'));
const fields = (message = 'must be an object') => v.pipe(notList, v.looseObject({}, message));
const atLeast = (minimum: number) =>
  v.nullish(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(minimum, `must be at least ${minimum}`),
    ),
  );

export const textFields = { format: v.nullish(fields()), verbosity: v.nullish(text) };
export const reasoningFields = { effort: v.nullish(text), summary: v.nullish(text) };

/** Of `include`: asks for the probabilities of tokens. */
export const logprobsName = 'message.output_text.logprobs';

/** The fields of a request that are read here or shown again. Whatever else it has is refused by `refuseUnknown`. */
export const responsesRequest = v.looseObject({
  model: v.pipe(text, v.nonEmpty('must not be empty')),
  input: v.optional(v.union([v.string(), v.array(fields())], 'must be a string or a list of items')),
  instructions: v.nullish(text),
  previous_response_id: v.nullish(text),
  store: flag,
  stream: flag,
  background: flag,
  max_output_tokens: atLeast(1),
  max_tool_calls: atLeast(1),
  parallel_tool_calls: flag,
  temperature: number,
  top_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  top_logprobs: atLeast(0),
  tools: v.nullish(v.array(fields(), 'must be a list of tools')),
  tool_choice: v.nullish(v.union([v.string(), fields()], 'must be a string or an object')),
  text: v.nullish(v.pipe(notList, v.looseObject(textFields, 'must be an object'))),
  reasoning: v.nullish(v.pipe(notList, v.looseObject(reasoningFields, 'must be an object'))),
  include: v.nullish(v.array(text, 'must be a list of strings')),
  metadata: v.nullish(fields()),
  truncation: v.nullish(text),
  service_tier: v.nullish(text),
  user: v.nullish(text),
  safety_identifier: v.nullish(text),
  prompt_cache_key: v.nullish(text),
  skills: v.optional(v.unknown()),
});

export type ResponsesRequest = v.InferOutput<typeof responsesRequest>;

export type Item = Record<string, unknown>;
