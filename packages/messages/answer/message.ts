import type { Impact, Usage } from '@errand/models';
import type { Asked, Block, MessageUsage, Stop } from '../wire.ts';

export const unended: Stop = { stop_reason: null, stop_sequence: null };

/** The answer as one object. */
export const messageObject = (
  { request: { model }, messageId }: Asked,
  { content, stop, usage, impact }: { content: readonly Block[]; stop: Stop; usage: object; impact?: Impact },
): Record<string, unknown> => ({
  id: messageId,
  type: 'message',
  role: 'assistant',
  model,
  content,
  ...stop,
  stop_details: null,
  container: null,
  usage,
  ...(impact && { impact }),
});

/** What was charged, in the protocol's words: tokens of the cache are told apart from other input. `own` is what an upstream says beside. */
export function usageOf(tokens: Usage, own: object = {}): MessageUsage {
  const { inputTokens, cachedInputTokens, cacheWriteTokens = 0, outputTokens, reasoningTokens } = tokens;
  return {
    cache_creation: null,
    server_tool_use: null,
    service_tier: null,
    ...own,
    input_tokens: inputTokens - cachedInputTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}
