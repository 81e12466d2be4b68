import type { Fields } from '../chat-messages.ts';
import { readTokenCount } from '../usage.ts';
import { isFields } from './fields.ts';

/** The `usage` of a message as a chat completion has it. A count that is no number of tokens is left out. */
export function toChatUsage(usage: unknown): Fields | undefined {
  if (!isFields(usage)) return undefined;
  const output = readTokenCount(usage.output_tokens);
  const fresh = readTokenCount(usage.input_tokens);
  const cached = readTokenCount(usage.cache_read_input_tokens) ?? 0;
  const written = readTokenCount(usage.cache_creation_input_tokens) ?? 0;
  const input = fresh === undefined ? undefined : fresh + cached + written;
  const thinking = readTokenCount(
    isFields(usage.output_tokens_details) ? usage.output_tokens_details.thinking_tokens : undefined,
  );
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input === undefined || output === undefined ? undefined : input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    ...(thinking !== undefined && { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}
