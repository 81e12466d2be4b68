/** Tokens of one completion. `inputTokens` contains the cached ones, `outputTokens` the reasoning. */
export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
}

/** Far above what any model reads or writes at once: what says more is no count, and could not be charged at any price. */
const mostTokens = 100_000_000;

/** Undefined if that is no number of tokens. */
export const readTokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens
    ? value
    : undefined;

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/**
 * Reads OpenAI's `usage` object. Undefined if it is none, so that the tokens must be counted; one without any input is
 * what some servers send that did not count, for there is no prompt of no tokens. Nor is one that is silent on the output.
 */
export function readUsage(value: unknown): Usage | undefined {
  const inputTokens = readTokenCount(property(value, 'prompt_tokens'));
  if (inputTokens === undefined || inputTokens === 0) return undefined;
  const completion = property(value, 'completion_tokens') ?? null;
  const total = readTokenCount(property(value, 'total_tokens'));
  const rest = total === undefined ? undefined : Math.max(0, total - inputTokens);
  const outputTokens = completion === null ? rest : readTokenCount(completion);
  if (outputTokens === undefined) return undefined;
  const cached = readTokenCount(property(property(value, 'prompt_tokens_details'), 'cached_tokens')) ?? 0;
  const reasoning = readTokenCount(
    property(property(value, 'completion_tokens_details'), 'reasoning_tokens'),
  );
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
