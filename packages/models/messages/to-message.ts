import { fieldIssue, isFields } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { type Format, toFormat } from './to-format.ts';
import { toTurns } from './to-turns.ts';

/**
 * The request of Messages that asks for what a chat completion asks for. Fields that neither has a place for are left out.
 * Throws `invalid_request` for what would change the answer.
 */
export function toMessageBody(
  completion: Readonly<Fields>,
  { maxTokens }: { maxTokens: number },
): Record<string, unknown> {
  refuseFields(completion);
  const { stop, temperature, user } = completion;
  const tools = toTools(completion);
  const { format, instruction } = toFormat(completion.response_format);
  const { system = [], messages } = toTurns(Array.isArray(completion.messages) ? completion.messages : []);
  const prompt = instruction ? [...system, instruction] : system;
  return {
    model: completion.model,
    max_tokens: completion.max_completion_tokens ?? completion.max_tokens ?? maxTokens,
    system: prompt.length > 0 ? prompt : undefined,
    messages,
    tools,
    tool_choice: tools && toToolChoice(completion),
    stop_sequences: (stop ?? null) === null ? undefined : [stop].flat(),
    // OpenAI's goes up to 2.
    temperature: typeof temperature === 'number' ? Math.min(temperature, 1) : undefined,
    top_p: completion.top_p ?? undefined,
    top_k: completion.top_k ?? undefined,
    stream: completion.stream ?? undefined,
    metadata: (user ?? null) === null ? undefined : { user_id: user },
    cache_control: completion.cache_control ?? undefined,
    thinking: toThinking(completion),
    output_config: toOutputConfig(completion, format),
  };
}

/** Fields that ask for what a message does not have. */
function refuseFields({ n, functions, logprobs, top_logprobs }: Readonly<Fields>): void {
  if (typeof n === 'number' && n > 1) throw fieldIssue('n', 'must be 1: this model gives one answer');
  if ((functions ?? null) !== null) throw fieldIssue('functions', 'must be sent as tools to this model');
  if (logprobs === true || (typeof top_logprobs === 'number' && top_logprobs > 0))
    throw fieldIssue(logprobs === true ? 'logprobs' : 'top_logprobs', 'are not told by this model');
}

const noParameters = { type: 'object', properties: {} };

function toTools({ tools, tool_choice }: Readonly<Fields>): Fields[] | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return undefined;
  const allowed = allowedNames(tool_choice);
  const all = (tools as unknown[]).map((tool, i): Fields => {
    const called = isFields(tool) ? tool.function : undefined;
    if (!isFields(called))
      throw fieldIssue(`tools[${i}]`, 'must be a function: this model has no other tools');
    const { name, description, parameters, strict } = called;
    return {
      name,
      description: description ?? undefined,
      input_schema: parameters ?? noParameters,
      strict: strict === true ? true : undefined,
      cache_control: (tool as Fields).cache_control ?? undefined,
    };
  });
  return allowed ? all.filter(({ name }) => allowed.has(name)) : all;
}

/** The tools that a choice of `allowed_tools` names. Undefined for another choice. */
function allowedNames(choice: unknown): ReadonlySet<unknown> | undefined {
  const allowed = isFields(choice) ? choice.allowed_tools : undefined;
  if (!isFields(allowed) || !Array.isArray(allowed.tools)) return undefined;
  return new Set(
    allowed.tools.map((tool) => (isFields(tool) && isFields(tool.function) ? tool.function.name : '')),
  );
}

function toToolChoice({ tool_choice, parallel_tool_calls: parallel }: Readonly<Fields>): Fields | undefined {
  const choice = readChoice(tool_choice);
  if (parallel !== false || choice?.type === 'none') return choice;
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
}

const choices: Readonly<Record<string, Fields>> = {
  auto: { type: 'auto' },
  required: { type: 'any' },
  none: { type: 'none' },
};

function readChoice(choice: unknown): Fields | undefined {
  if ((choice ?? null) === null) return undefined;
  if (typeof choice === 'string' && Object.hasOwn(choices, choice)) return choices[choice];
  const { function: called, allowed_tools: allowed } = isFields(choice) ? choice : {};
  if (isFields(called)) return { type: 'tool', name: called.name };
  if (isFields(allowed)) return readChoice(allowed.mode);
  throw fieldIssue('tool_choice', 'must be auto, required, none or a function');
}

/** Whether the model thinks. How much it does is its effort. */
function toThinking({ thinking, reasoning_effort: effort }: Readonly<Fields>): unknown {
  if ((thinking ?? null) !== null) return thinking;
  if (effort === 'none') return { type: 'disabled' };
  return (effort ?? null) === null || effort === 'minimal' ? undefined : { type: 'adaptive' };
}

function toOutputConfig(
  { output_config, reasoning_effort }: Readonly<Fields>,
  format: Format['format'],
): Fields | undefined {
  const effort = reasoning_effort === 'minimal' ? 'low' : reasoning_effort;
  const asked: Fields = isFields(output_config) ? { ...output_config } : {};
  if ((effort ?? null) !== null && effort !== 'none') asked.effort ??= effort;
  if (format) asked.format ??= format;
  return Object.keys(asked).length === 0 ? undefined : asked;
}
