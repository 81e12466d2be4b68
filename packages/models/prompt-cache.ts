import type { ModelUpstream } from './catalogue.ts';
import type { ChatBody } from './chat-messages.ts';

/**
 * The request with what its upstream needs to find the beginning that it shares with the request before. `cacheKey` is the same
 * for requests that begin alike.
 */
export function withCaching(
  { caching }: ModelUpstream,
  body: ChatBody,
  cacheKey: string | undefined,
): ChatBody {
  if (cacheKey === undefined || caching === undefined) return body;
  if (caching === 'openai') return { ...body, prompt_cache_key: cacheKey };
  const { messages } = body;
  const marked = new Set([
    messages.findIndex(({ role }) => role === 'system'),
    // Where the request before ended. Anthropic looks back from a mark over 20 blocks alone, and a turn may have more.
    messages.findLastIndex(({ role }) => role === 'assistant') - 1,
    messages.length - 1,
  ]);
  return { ...body, messages: messages.map((message, i) => (marked.has(i) ? withMark(message) : message)) };
}

/** An empty text cannot be marked. */
function withMark(message: ChatBody['messages'][number]): ChatBody['messages'][number] {
  const { content } = message;
  if (typeof content !== 'string' || content === '') return message;
  return {
    ...message,
    content: [{ type: 'text', text: content, cache_control: { type: 'ephemeral' } }],
  } as ChatBody['messages'][number];
}
