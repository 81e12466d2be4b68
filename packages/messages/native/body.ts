import type { ChatRequest } from '@errand/chat';
import { fieldRule, type ModelUpstream } from '@errand/models';
import type { Fields } from '../request/fields.ts';
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
const chatNames: Readonly<Record<string, string>> = { metadata: 'user', stop_sequences: 'stop' };
const chatNamesOfOutput: Readonly<Record<string, string>> = {
  effort: 'reasoning_effort',
  format: 'response_format',
};

const ruleName = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

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
  messages: request.messages.flatMap((message) => messageFor(tag, message)),
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

function keptFields(request: MessagesRequest, upstream: Pick<ModelUpstream, 'fields'>): Fields {
  const passes = (name: string, chatName = name) =>
    fieldRule(upstream, name) === 'pass' && fieldRule(upstream, chatName) === 'pass';
  // A field of any name is a field of its own: `__proto__`, set, would have fields of its own read in its place.
  const kept: Fields = Object.fromEntries(
    Object.entries(request).filter(
      ([name]) => !ownFields.has(name) && passes(name, ruleName(chatNames, name)),
    ),
  );
  const { output_config: output } = kept;
  if (typeof output === 'object' && output !== null)
    kept.output_config = Object.fromEntries(
      Object.entries(output).filter(([name]) => passes(name, ruleName(chatNamesOfOutput, name))),
    );
  return kept;
}

/** A message without the thinking of other models. None if it had nothing else. */
function messageFor(tag: string, message: RequestMessage): RequestMessage[] {
  const { content } = message;
  if (!Array.isArray(content)) return [message];
  const blocks = (content as readonly Block[]).flatMap((block) => unwrapThinking(tag, block));
  return blocks.length === 0 && content.length > 0 ? [] : [{ ...message, content: blocks }];
}

/** A request without marks of what is to be cached: on the request, its tools, its blocks and blocks in these. */
function unmarked(request: Fields): Fields {
  const { cache_control: _, system, messages, tools, ...others } = request;
  return {
    ...others,
    system: unmarkedBlocks(system),
    messages: (messages as Fields[]).map((message) => ({
      ...message,
      content: unmarkedBlocks(message.content),
    })),
    tools: unmarkedBlocks(tools),
  };
}

function unmarkedBlocks(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return blocks;
  return (blocks as (Fields | null)[]).map((block) => {
    if (typeof block !== 'object' || block === null) return block;
    const { cache_control: _, ...others } = block;
    return 'content' in others ? { ...others, content: unmarkedBlocks(others.content) } : others;
  });
}
