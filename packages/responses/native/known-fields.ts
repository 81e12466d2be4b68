import { isFields } from '@errand/platform';
import type { Fields } from './upstream-response.ts';

/*
 * What an upstream that has Responses is sent of a request. The translation into a chat completion reads these fields, and the
 * checks of completions, such as those for addresses, see no others: so whatever else stands in an item, a part or a tool goes
 * nowhere.
 */

/** What is sent of a value; undefined if nothing is. */
type Keep = (value: unknown) => unknown;

type Table = Readonly<Record<string, Keep>>;

const text: Keep = (value) => (typeof value === 'string' ? value : undefined);
const number: Keep = (value) => (typeof value === 'number' ? value : undefined);
const flag: Keep = (value) => (typeof value === 'boolean' || value === null ? value : undefined);
/** A JSON Schema, in which no server looks for addresses. */
const schema: Keep = (value) => value;
/** A list that clients must send, and of which nothing is read. */
const emptied: Keep = (value) => (Array.isArray(value) ? [] : undefined);

const oneOf =
  (...words: readonly string[]): Keep =>
  (value) =>
    words.some((word) => word === value) ? value : undefined;

const either =
  (...keeps: readonly Keep[]): Keep =>
  (value) => {
    for (const keep of keeps) {
      const kept = keep(value);
      if (kept !== undefined) return kept;
    }
    return undefined;
  };

const objectOf =
  (fields: Table): Keep =>
  (value) => {
    if (!isFields(value)) return undefined;
    const kept: Fields = {};
    for (const [name, keep] of Object.entries(fields)) {
      const own = Object.hasOwn(value, name) ? keep(value[name]) : undefined;
      if (own !== undefined) kept[name] = own;
    }
    return kept;
  };

const listOf =
  (keep: Keep): Keep =>
  (value) =>
    Array.isArray(value) ? value.map(keep).filter((each) => each !== undefined) : undefined;

/** An object by its `type`, which may be absent where there is a usual one. */
function byType(types: Readonly<Record<string, Table>>, usual?: string): Keep {
  const keeps = new Map(
    Object.entries(types).map(([type, fields]) => [type, objectOf({ type: text, ...fields })]),
  );
  return (value) => {
    const type = isFields(value) ? (value.type ?? usual) : undefined;
    return typeof type === 'string' ? keeps.get(type)?.(value) : undefined;
  };
}

const part = byType({
  input_text: { text },
  output_text: { text, annotations: emptied, logprobs: emptied },
  text: { text },
  refusal: { refusal: text },
  reasoning_text: { text },
  summary_text: { text },
  input_image: { image_url: text, detail: oneOf('low', 'high', 'auto', 'original') },
  input_file: { filename: text, file_data: text },
  input_audio: { input_audio: objectOf({ data: text, format: text }) },
});
const content = either(text, listOf(part));
const status = oneOf('in_progress', 'completed', 'incomplete');
const call = { call_id: text, name: text, namespace: text, status };
const output = { call_id: text, output: content, status };

/** An item of the input. */
export const knownItem = byType(
  {
    message: { role: text, content, status, phase: oneOf('commentary', 'final_answer') },
    function_call: { ...call, arguments: text },
    custom_tool_call: { ...call, input: text },
    function_call_output: output,
    custom_tool_call_output: output,
    reasoning: {
      id: text,
      summary: listOf(part),
      content: listOf(part),
      encrypted_content: text,
      status,
    },
  },
  'message',
);

const ownTools = {
  function: { name: text, description: text, parameters: schema, strict: flag, output_schema: schema },
  custom: {
    name: text,
    description: text,
    format: objectOf({ type: text, syntax: text, definition: text }),
  },
};
const tool = byType({
  ...ownTools,
  namespace: { name: text, description: text, tools: listOf(byType(ownTools)) },
});

const named = { type: text, name: text, namespace: text };

/** The fields of a request that reach an upstream. Marks of the caller and what is kept are between us and the caller. */
export const knownFields = {
  max_output_tokens: number,
  parallel_tool_calls: flag,
  temperature: number,
  top_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  top_logprobs: number,
  tools: listOf(tool),
  tool_choice: either(text, objectOf({ ...named, mode: text, tools: listOf(objectOf(named)) })),
  text: objectOf({
    format: objectOf({ type: text, name: text, description: text, schema, strict: flag }),
    verbosity: text,
  }),
  reasoning: objectOf({ effort: text, summary: text }),
  include: listOf(text),
  service_tier: text,
} as const satisfies Table;
