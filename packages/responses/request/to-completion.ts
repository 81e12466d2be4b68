import { fieldIssue } from '@errand/platform';
import { toMessages } from './messages.ts';
import { given, stringField } from './parts.ts';
import { type Item, logprobsName, type ResponsesRequest } from './schema.ts';
import { toToolChoice, toTools } from './tools.ts';

/** The chat completion that asks a model for what a request asks for. */
export function toCompletion(
  request: ResponsesRequest,
  conversation: { earlier: readonly Item[]; own: readonly Item[] },
): object {
  const { model, instructions, max_output_tokens, stream, tools, tool_choice, text, reasoning } = request;
  const messages = toMessages(instructions, conversation);
  const isEmpty = conversation.earlier.length + conversation.own.length === 0;
  if (isEmpty || messages.length === 0) throw fieldIssue('input', 'must not be empty');
  const hasTools = (tools ?? []).length > 0;
  const skills = 'skills' in request ? { skills: request.skills } : {};
  const completion = given({
    model,
    messages,
    stream,
    max_tokens: max_output_tokens,
    tools: hasTools ? toTools(tools ?? []) : undefined,
    tool_choice: toToolChoice(tool_choice, hasTools),
    parallel_tool_calls: hasTools ? request.parallel_tool_calls : undefined,
    response_format: text?.format ? toFormat(text.format) : undefined,
    verbosity: text?.verbosity,
    reasoning_effort: reasoning?.effort,
    ...toLogprobs(request),
    temperature: request.temperature,
    top_p: request.top_p,
    presence_penalty: request.presence_penalty,
    frequency_penalty: request.frequency_penalty,
    service_tier: request.service_tier,
  });
  return { ...completion, ...skills };
}

function toFormat(format: Item): object | undefined {
  const { type, schema, description, strict } = format;
  if (type === 'text') return undefined;
  if (type === 'json_object') return { type };
  if (type !== 'json_schema')
    throw fieldIssue('text.format.type', 'must be text, json_object or json_schema');
  const name = stringField(format, 'name', 'text.format');
  return { type, json_schema: { name, ...given({ schema, description, strict }) } };
}

function toLogprobs({ include, top_logprobs }: ResponsesRequest): object {
  if (!top_logprobs && !include?.includes(logprobsName)) return {};
  return { logprobs: true, ...(top_logprobs && { top_logprobs }) };
}
