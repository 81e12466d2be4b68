import { countInputTokens, countTokens, formatUsage, readUsage, type Usage } from '@errand/models';
import type { ChatRequest } from './read-request.ts';

export interface MeasuredUsage {
  usage: Usage;
  /** As the caller gets it: the upstream's own object, where it sent one. */
  shown: Record<string, unknown>;
}

/** The upstream's usage; counted here from what was written where it sent none. */
export async function measureUsage(
  request: ChatRequest,
  given: unknown,
  written: () => string,
): Promise<MeasuredUsage> {
  const told = readUsage(given);
  if (told) {
    const { prompt_tokens, completion_tokens, total_tokens } = formatUsage(told);
    const own = given as Record<string, unknown>;
    const total = typeof own.total_tokens === 'number' ? own.total_tokens : total_tokens;
    const shown = { ...own, prompt_tokens, completion_tokens, total_tokens: total };
    return { usage: told, shown };
  }
  const usage: Usage = {
    inputTokens: await countInputTokens({ ...request.body, messages: request.messages }),
    cachedInputTokens: 0,
    outputTokens: await countTokens(written()),
  };
  return { usage, shown: formatUsage(usage) };
}
