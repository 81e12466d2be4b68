/** The tokens of one completion. Cached tokens are part of `inputTokens`, reasoning tokens of `outputTokens`. */
export interface Usage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
}

/** Far more than any model reads or writes at once. The charge for a larger number could overflow. */
const mostTokens = 100_000_000;

/** The value if it can be a number of tokens, else undefined. */
export const readTokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens
    ? value
    : undefined;

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/**
 * Reads OpenAI's `usage` object. Returns undefined if the tokens must be counted instead: it has no input tokens (some
 * servers send 0 if they did not count), or neither output nor total tokens.
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

/** Writes usage as OpenAI's `usage` object. */
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
