import { limits } from '@errand/platform';
import type { ModelUpstream } from './catalogue.ts';
import type { AssistantMessage, ChatMessage, Fields, Opaque, OpaqueCall, ToolCall } from './chat-messages.ts';
import { readContent } from './read-content.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * The names of what a server sends with its model's message and wants back unchanged: thinking, and its signatures. They are
 * grouped by where they stand, each with who documents it.
 */
const names = {
  message: [
    'reasoning_content', // DeepSeek, Moonshot, vLLM, LiteLLM
    'reasoning', // OpenRouter, vLLM, Ollama
    'reasoning_details', // OpenRouter
    'thinking_blocks', // LiteLLM, for Anthropic's models
    'extra_content', // Google
    'provider_specific_fields', // LiteLLM
  ],
  call: ['extra_content', 'provider_specific_fields', 'thought_signature'], // Google, LiteLLM
  function: ['provider_specific_fields', 'thought_signature'], // LiteLLM
} as const;

/** The names that a server may refuse. */
export const opaqueNames: readonly string[] = [...new Set(Object.values(names).flat())];

/** Names an upstream. The name changes if the catalogue gives the upstream another address or model. */
const upstreamId = ({ baseUrl, model }: Pick<ModelUpstream, 'baseUrl' | 'model'>): string =>
  `${baseUrl} ${model}`;

/** The wanted fields that are there. Null counts as absent. An empty text does not, because DeepSeek wants it back. */
function pick(from: unknown, wanted: readonly string[]): Fields | undefined {
  const fields = (from ?? {}) as Fields;
  const found = wanted.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]] as const]));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The opaque fields of a message. Throws `UpstreamError` `unreadable` past `limits.opaqueBytes`. */
export function readOpaque(
  upstream: ModelUpstream,
  sent: Fields,
  { content, calls }: { content: unknown; calls: readonly Fields[] },
): Opaque | undefined {
  const ofCalls = calls.flatMap((call, index): OpaqueCall[] => {
    const fields = { call: pick(call, names.call), function: pick(call.function, names.function) };
    return fields.call || fields.function ? [{ index, id: String(call.id), ...fields }] : [];
  });
  const found = {
    message: pick(sent, names.message),
    calls: ofCalls.length > 0 ? ofCalls : undefined,
    content,
  };
  if (Object.values(found).every((value) => value === undefined)) return undefined;
  const opaque = { upstream: upstreamId(upstream), ...found };
  if (Buffer.byteLength(JSON.stringify(opaque)) > limits.opaqueBytes) throw new UpstreamError('unreadable');
  return opaque;
}

/** The opaque fields with the ids that their calls have in the conversation. `calls` are in the order in which they came. */
export const withCallIds = (opaque: Opaque, calls: readonly ToolCall[]): Opaque => ({
  ...opaque,
  calls: opaque.calls?.map((of) => ({ ...of, id: calls[of.index]?.id ?? of.id })),
});

/** The thinking of a message, beside its text. */
export const thinkingOf = ({ message = {} }: Opaque): string => {
  const text = message.reasoning_content ?? message.reasoning;
  return typeof text === 'string' ? text : '';
};

/** Whether thinking, or a signature of it, is in the fields. LiteLLM sends fields of its providers with every message. */
export const hasThoughts = ({ message = {}, calls, content }: Opaque): boolean =>
  calls !== undefined ||
  content !== undefined ||
  Object.keys(message).some((name) => name !== 'provider_specific_fields');

/** The characters that are left of thinking in a conversation that outgrows its model. Servers want the field, whatever it says. */
const keptOfThought = 200;
/** Thinking in blocks is left out past this size, since a block that was cut is invalid. */
const longestBlocks = 2_000;

/** The opaque fields with less thinking. The signatures of calls stay. */
export function withLessThinking({ upstream, message = {}, calls }: Opaque): Opaque {
  const kept = Object.entries(message).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, value.slice(0, keptOfThought).toWellFormed()] as const];
    return JSON.stringify(value).length > longestBlocks ? [] : [[name, value] as const];
  });
  return { upstream, message: Object.fromEntries(kept), calls };
}

/** The messages for one upstream: those that it made have their opaque fields, except the names in `refused`. */
export const messagesFor = (
  upstream: ModelUpstream,
  messages: readonly ChatMessage[],
  refused: ReadonlySet<string>,
): ChatMessage[] =>
  messages.map((message) => {
    if (!('opaque' in message) || message.opaque === undefined) return message;
    const { opaque, ...plain } = message as AssistantMessage;
    if (opaque?.upstream !== upstreamId(upstream)) return plain;
    const isWhole =
      opaque.content !== undefined && readContent(opaque.content).text === (plain.content ?? '');
    const tool_calls = plain.tool_calls && withFields(plain.tool_calls, opaque.calls ?? [], refused);
    return {
      ...plain,
      ...(isWhole && { content: opaque.content as string }),
      ...(tool_calls && { tool_calls }),
      ...without(opaque.message, refused),
    };
  });

/**
 * Adds the opaque fields of calls. The fields of a call that is gone go to the first call if it has none: of calls that go out
 * together, Google signs the first alone, and wants a signature on the first.
 */
function withFields(calls: readonly ToolCall[], fields: readonly OpaqueCall[], refused: ReadonlySet<string>) {
  const orphan = fields.find(({ id }) => !calls.some((call) => call.id === id));
  return calls.map((call, i) => {
    const own = fields.find(({ id }) => id === call.id) ?? (i === 0 ? orphan : undefined);
    if (!own) return call;
    return {
      ...call,
      ...without(own.call, refused),
      function: { ...call.function, ...without(own.function, refused) },
    };
  });
}

const without = (fields: Fields | undefined, refused: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !refused.has(name)));
