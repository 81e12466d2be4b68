import { fieldIssue, given, stringField } from '@errand/platform';
import { toMessages } from './messages.ts';
import { eachTool, nameInChat } from './namespaces.ts';
import { type Item, logprobsName, type ResponsesRequest } from './schema.ts';

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

/** The tools of a request as those of a chat completion. Throws `invalid_request` for one that no chat model has. */
const toTools = (tools: readonly Item[]): object[] =>
  eachTool(tools).map(({ tool, namespace, at }) => {
    const { description, parameters, strict } = tool;
    const type = stringField(tool, 'type', at);
    if (type !== 'function' && type !== 'custom')
      throw fieldIssue(`${at}.type`, `must be function, custom or namespace: no chat model has ${type} here`);
    const name = nameInChat(namespace, stringField(tool, 'name', at));
    if (type === 'function')
      return { type, function: { name, ...given({ description, parameters, strict }) } };
    return { type, custom: { name, ...given({ description, format: toGrammar(tool.format) }) } };
  });

function toGrammar(format: unknown): unknown {
  const { type, syntax, definition } = (format ?? {}) as Item;
  return type === 'grammar' ? { type, grammar: { syntax, definition } } : format;
}

const words: readonly unknown[] = ['none', 'auto', 'required'];

/** Throws `invalid_request` for a choice that no chat model can make, or that asks for a tool where there is none. */
function toToolChoice(choice: string | Item | null | undefined, hasTools: boolean): unknown {
  if (choice === null || choice === undefined) return undefined;
  const chosen = toChosen(choice);
  if (hasTools) return chosen;
  if (choice !== 'none' && choice !== 'auto') throw fieldIssue('tool_choice', 'needs tools');
  return undefined;
}

function toChosen(choice: string | Item): unknown {
  if (words.includes(choice)) return choice;
  const { type, mode, tools } = (typeof choice === 'string' ? {} : choice) as Item;
  if (type === 'allowed_tools' && Array.isArray(tools)) {
    const allowed = tools.map((tool, index) => toNamed(tool, `tool_choice.tools[${index}]`));
    return { type, allowed_tools: { mode, tools: allowed } };
  }
  return toNamed(choice, 'tool_choice', 'must be none, auto, required, or name a function or custom tool');
}

function toNamed(tool: unknown, at: string, problem = 'must name a function or custom tool'): object {
  const { type } = (tool ?? {}) as Item;
  if (type !== 'function' && type !== 'custom') throw fieldIssue(at, problem);
  return { type, [type]: { name: stringField(tool as Item, 'name', at) } };
}
