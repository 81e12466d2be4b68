/** The tokens of one completion. Cached tokens are part of `inputTokens`, reasoning tokens of `outputTokens`. */
export interface Usage {
  inputTokens: number;
  /** Read from the upstream's prompt cache. */
  cachedInputTokens: number;
  /** Written into the upstream's prompt cache, if it says so. Also part of `inputTokens`, and none of those read. */
  cacheWriteTokens?: number;
  outputTokens: number;
  reasoningTokens?: number;
}

/** The usage of work that has no output, or none yet. */
export const inputOnly = (inputTokens: number): Usage => ({
  inputTokens,
  cachedInputTokens: 0,
  outputTokens: 0,
});

/** The largest number of tokens that is believed, far above any model's context. A larger one could overflow the charge. */
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
  const cachedInputTokens = Math.min(readCached(value), inputTokens);
  const written = Math.min(readCacheWrite(value) ?? 0, inputTokens - cachedInputTokens);
  const reasoning = readTokenCount(
    property(property(value, 'completion_tokens_details'), 'reasoning_tokens'),
  );
  const output = readOutput(value, { inputTokens, cachedInputTokens, reasoning });
  if (output === undefined) return undefined;
  return {
    inputTokens,
    cachedInputTokens,
    ...(written > 0 && { cacheWriteTokens: written }),
    outputTokens: output,
    ...(reasoning !== undefined && { reasoningTokens: Math.min(reasoning, output) }),
  };
}

const promptDetail = (value: unknown, name: string): number | undefined =>
  readTokenCount(property(property(value, 'prompt_tokens_details'), name));

/** The tokens that were read from the cache. DeepSeek, Moonshot and Anthropic use other names than OpenAI. */
const readCached = (value: unknown): number =>
  promptDetail(value, 'cached_tokens') ??
  readTokenCount(property(value, 'prompt_cache_hit_tokens')) ??
  readTokenCount(property(value, 'cached_tokens')) ??
  readTokenCount(property(value, 'cache_read_input_tokens')) ??
  0;

/** The first name is OpenAI's and OpenRouter's, the second LiteLLM's, the third Anthropic's, which gateways pass on. */
const readCacheWrite = (value: unknown): number | undefined =>
  promptDetail(value, 'cache_write_tokens') ??
  promptDetail(value, 'cache_creation_tokens') ??
  readTokenCount(property(value, 'cache_creation_input_tokens'));

/**
 * Reasoning is billed as output. xAI reports it beside `completion_tokens`, and Gemini only in `total_tokens`: what the
 * total has more is output, unless the cached tokens explain it, which a few servers leave out of `prompt_tokens`.
 */
function readOutput(
  value: unknown,
  known: { inputTokens: number; cachedInputTokens: number; reasoning: number | undefined },
): number | undefined {
  const completion = property(value, 'completion_tokens') ?? null;
  const total = readTokenCount(property(value, 'total_tokens'));
  const rest = total === undefined ? undefined : Math.max(0, total - known.inputTokens);
  if (completion === null) return rest;
  const output = readTokenCount(completion);
  if (output === undefined || rest === undefined || rest <= output) return output;
  const beside = rest - output;
  const { reasoning, cachedInputTokens } = known;
  const isOutput = reasoning === undefined ? beside > cachedInputTokens : beside <= reasoning;
  return isOutput ? rest : output;
}

/** Writes usage as OpenAI's `usage` object. */
export function formatUsage(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    ...(usage.reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    }),
  };
}
