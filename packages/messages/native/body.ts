import type { ChatRequest } from '@errand/chat';
import { fieldRule, foldName, type ModelUpstream } from '@errand/models';
import { isFields } from '@errand/platform';
import type { Fields } from '../request/fields.ts';
import { isOfCaller } from '../request/of-caller.ts';
import type { Asked, Block, MessagesRequest, RequestMessage } from '../wire.ts';
import { unwrapThinking } from './own-thinking.ts';

/** Fields that are always sent as they are written here. */
const ownFields: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'skills',
]);

/** The names that the rules of the catalogue know of these fields, which are those of chat completions. */
const chatNames: Readonly<Record<string, string>> = {
  metadata: 'user',
  stop_sequences: 'stop',
  output_format: 'response_format',
};
const chatNamesOfOutput: Readonly<Record<string, string>> = {
  effort: 'reasoning_effort',
  format: 'response_format',
};

const ruleName = (names: Readonly<Record<string, string>>, name: string): string | undefined => {
  const folded = foldName(name);
  return Object.hasOwn(names, folded) ? names[folded] : undefined;
};

/** The request for an upstream that speaks the protocol itself: as it came, fields included that nothing here knows. */
export function nativeBody(
  asked: Pick<Asked, 'request' | 'tag'>,
  { edits, body }: Pick<ChatRequest, 'edits'> & { body?: Pick<ChatRequest['body'], 'max_tokens'> },
  { upstream, outputTokens }: { upstream: ModelUpstream; outputTokens: number | undefined },
): Uint8Array {
  const { request } = asked;
  const written = {
    ...nativeRequest(asked, upstream),
    model: upstream.model,
    max_tokens: outputTokens ?? body?.max_tokens ?? request.max_tokens,
    system: editedPrompt(request, edits),
  };
  return Buffer.from(JSON.stringify(upstream.fields?.cache_control === 'drop' ? unmarked(written) : written));
}

/** What of a request goes to such an upstream. */
export const nativeRequest = (
  { request, tag }: Pick<Asked, 'request' | 'tag'>,
  upstream: Pick<ModelUpstream, 'fields'>,
) => ({
  ...keptFields(request, upstream),
  system: request.system,
  messages: request.messages.flatMap((message) => messageFor(tag, message, upstream)),
  stream: request.stream,
});

/** The system prompt with the skill, and with the variant's instruction. */
function editedPrompt({ system }: MessagesRequest, edits: ChatRequest['edits']): unknown {
  const prompt = (system ?? '') === '' ? [] : [{ role: 'system', content: system as unknown }];
  const [edited] = edits.reduce<readonly { role: string; content?: unknown }[]>(
    (all, edit) => edit(all),
    prompt,
  );
  return edited?.content;
}

const passes = (upstream: Pick<ModelUpstream, 'fields'>, name: string, chatName = name): boolean =>
  fieldRule(upstream, name) === 'pass' && fieldRule(upstream, chatName) === 'pass';

function keptFields(request: MessagesRequest, upstream: Pick<ModelUpstream, 'fields'>): Fields {
  // A field of any name is a field of its own: `__proto__`, set, would have fields of its own read in its place.
  const kept: Fields = Object.fromEntries(
    Object.entries(request).filter(
      ([name]) => !ownFields.has(name) && passes(upstream, name, ruleName(chatNames, name)),
    ),
  );
  return withOutput(kept, upstream);
}

/** A request, or a message from which on another effort holds, with what the upstream takes of its output. */
function withOutput<T extends object>(fields: T, upstream: Pick<ModelUpstream, 'fields'>): T {
  const names = new Set(Object.keys(fields).filter((name) => foldName(name) === 'output_config'));
  if (names.size === 0) return fields;
  const takes = (name: string) => passes(upstream, name, ruleName(chatNamesOfOutput, name));
  const kept = Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    if (!names.has(name)) return [[name, value]];
    if (!passes(upstream, name)) return [];
    const part = isFields(value) ? Object.entries(value).filter(([each]) => takes(each)) : undefined;
    return [[name, part ? Object.fromEntries(part) : value]];
  });
  return Object.fromEntries(kept) as T;
}

/** A message without the thinking of other models, and with what the upstream takes of its output. None if it had nothing else. */
function messageFor(
  tag: string,
  given: RequestMessage,
  upstream: Pick<ModelUpstream, 'fields'>,
): RequestMessage[] {
  const message = withOutput(given, upstream);
  const { content } = message;
  // Providers refuse a message that says nothing.
  if (message !== given && (content ?? '').length === 0 && isEmpty(message.output_config)) return [];
  if (!Array.isArray(content)) return [message];
  const blocks = (content as readonly Block[]).flatMap((block) => unwrapThinking(tag, block));
  return blocks.length === 0 && content.length > 0 ? [] : [{ ...message, content: blocks }];
}

const isEmpty = (config: unknown): boolean => Object.keys(config ?? {}).length === 0;

/** A request without marks of what is to be cached, at any depth: blocks hold blocks and tools, also such as are not known here. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isFields(value)) return value;
  const kept = Object.entries(value).filter(([name]) => foldName(name) !== 'cache_control');
  return Object.fromEntries(
    kept.map(([name, each]) => [name, isOfCaller(name, value) ? each : unmarked(each)]),
  );
}
