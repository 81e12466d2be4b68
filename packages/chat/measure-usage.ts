import { countInputTokens, countTokens, formatUsage, readUsage, type Usage } from '@errand/models';
import type { ChatRequest } from './read-request.ts';

export interface MeasuredUsage {
  usage: Usage;
  /** As the caller gets it: the upstream's own object, where it sent one. */
  shown: Record<string, unknown>;
}

export interface Told {
  /** The upstream's usage, if it sent one. */
  given: unknown;
  /** It was told on the way of an answer that then broke off: the output is at least what was written. */
  unfinished?: boolean;
  written(): string;
}

/** The upstream's usage; counted here from what was written where it sent none. */
export async function measureUsage(
  request: ChatRequest,
  { given, unfinished = false, written }: Told,
): Promise<MeasuredUsage> {
  const told = readUsage(given);
  if (told) {
    const counted = unfinished ? await countTokens(written()) : 0;
    if (counted > told.outputTokens) {
      const usage = { ...told, outputTokens: counted };
      return { usage, shown: formatUsage(usage) };
    }
    return { usage: told, shown: showTold(told, given as Record<string, unknown>) };
  }
  const usage: Usage = {
    inputTokens: await countInputTokens({ ...request.body, messages: request.messages }),
    cachedInputTokens: 0,
    outputTokens: await countTokens(written()),
  };
  return { usage, shown: formatUsage(usage) };
}

/** With all that the upstream told, and the numbers that are charged. */
function showTold(told: Usage, own: Record<string, unknown>): Record<string, unknown> {
  const { prompt_tokens, completion_tokens, total_tokens } = formatUsage(told);
  const total = typeof own.total_tokens === 'number' ? own.total_tokens : total_tokens;
  const details = own.prompt_tokens_details as { cached_tokens?: unknown } | null | undefined;
  const misread = details?.cached_tokens !== undefined && details.cached_tokens !== told.cachedInputTokens;
  return {
    ...own,
    prompt_tokens,
    completion_tokens,
    total_tokens: total,
    ...(misread && { prompt_tokens_details: { ...details, cached_tokens: told.cachedInputTokens } }),
  };
}
