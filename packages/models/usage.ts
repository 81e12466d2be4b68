/** Tokens of one completion. `inputTokens` contains the cached ones, `outputTokens` the reasoning. */
export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Reads OpenAI's `usage` object. Undefined if it is none, so that the tokens must be counted. */
export function readUsage(value: unknown): Usage | undefined {
  const inputTokens = count(property(value, 'prompt_tokens'));
  if (inputTokens === undefined) return undefined;
  const total = count(property(value, 'total_tokens'));
  const outputTokens =
    count(property(value, 'completion_tokens')) ?? Math.max(0, (total ?? inputTokens) - inputTokens);
  const cached = count(property(property(value, 'prompt_tokens_details'), 'cached_tokens')) ?? 0;
  const reasoning = count(property(property(value, 'completion_tokens_details'), 'reasoning_tokens'));
  return {
    inputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    outputTokens,
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** OpenAI's `usage` object, as callers get it. */
export function formatUsage(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
    ...(usage.reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    }),
  };
}
