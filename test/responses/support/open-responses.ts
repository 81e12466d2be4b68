import * as v from 'valibot';

/** What the Open Responses specification (2026-04-24) requires of an answer. Whatever else there is may stay. */
const count = v.pipe(v.number(), v.integer());
const orNull = <S extends v.GenericSchema>(schema: S) => v.nullable(schema);
const text = v.string();

const part = v.variant('type', [
  v.looseObject({
    type: v.literal('output_text'),
    text,
    annotations: v.array(v.looseObject({})),
    logprobs: v.array(v.looseObject({})),
  }),
  v.looseObject({ type: v.literal('refusal'), refusal: text }),
  v.looseObject({ type: v.literal('reasoning_text'), text }),
]);

const status = v.picklist(['in_progress', 'completed', 'incomplete']);
const item = v.variant('type', [
  v.looseObject({ type: v.literal('message'), id: text, status, role: text, content: v.array(part) }),
  v.looseObject({
    ...{ type: v.literal('function_call'), id: text, status },
    ...{ call_id: text, name: text, arguments: text },
  }),
  v.looseObject({ type: v.literal('reasoning'), id: text, summary: v.array(part), content: v.array(part) }),
]);

const tool = v.looseObject({
  ...{ type: v.literal('function'), name: text, description: orNull(text) },
  ...{ parameters: orNull(v.looseObject({})), strict: orNull(v.boolean()) },
});

const usage = v.looseObject({
  ...{ input_tokens: count, output_tokens: count, total_tokens: count },
  input_tokens_details: v.looseObject({ cached_tokens: count }),
  output_tokens_details: v.looseObject({ reasoning_tokens: count }),
});

export const openResponse = v.looseObject({
  ...{ id: text, object: v.literal('response'), status: text, model: text },
  ...{ created_at: count, completed_at: orNull(count) },
  incomplete_details: orNull(v.looseObject({ reason: text })),
  error: orNull(v.looseObject({ code: text, message: text })),
  ...{ previous_response_id: orNull(text), instructions: orNull(text) },
  ...{ output: v.array(item), tools: v.array(tool) },
  tool_choice: v.union([v.picklist(['none', 'auto', 'required']), v.looseObject({ type: text })]),
  truncation: v.picklist(['auto', 'disabled']),
  ...{ parallel_tool_calls: v.boolean(), store: v.boolean(), background: v.boolean() },
  text: v.looseObject({ format: v.looseObject({ type: text }) }),
  ...{ top_p: v.number(), temperature: v.number(), top_logprobs: count },
  ...{ presence_penalty: v.number(), frequency_penalty: v.number() },
  reasoning: orNull(v.looseObject({ effort: orNull(text), summary: orNull(text) })),
  usage: orNull(usage),
  ...{ max_output_tokens: orNull(count), max_tool_calls: orNull(count) },
  ...{ service_tier: text, metadata: v.looseObject({}) },
  ...{ safety_identifier: orNull(text), prompt_cache_key: orNull(text) },
});

const ofResponse = { response: openResponse };
const ofItem = { output_index: count, item };
const place = { item_id: text, output_index: count };
const inPart = { ...place, content_index: count };

const fields: Readonly<Record<string, v.ObjectEntries>> = {
  'response.created': ofResponse,
  'response.in_progress': ofResponse,
  'response.completed': ofResponse,
  'response.incomplete': ofResponse,
  'response.failed': ofResponse,
  'response.output_item.added': ofItem,
  'response.output_item.done': ofItem,
  'response.content_part.added': { ...inPart, part },
  'response.content_part.done': { ...inPart, part },
  'response.output_text.delta': { ...inPart, delta: text },
  'response.output_text.done': { ...inPart, text },
  'response.refusal.delta': { ...inPart, delta: text },
  'response.refusal.done': { ...inPart, refusal: text },
  // Open Responses leaves `_text` out of these two names. The clients of OpenAI know them with it.
  'response.reasoning_text.delta': { ...inPart, delta: text },
  'response.reasoning_text.done': { ...inPart, text },
  'response.function_call_arguments.delta': { ...place, delta: text },
  'response.function_call_arguments.done': { ...place, arguments: text },
};

/** The schema of an event. Throws for a type that is not in the specification. */
export function openEvent(type: string): v.GenericSchema {
  const entries = fields[type];
  if (!entries) throw new Error(`Open Responses has no event ${type}`);
  return v.looseObject({ type: v.literal(type), sequence_number: count, ...entries });
}
