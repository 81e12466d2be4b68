import { countInputTokens, formatUsage, readUsage, type Usage } from '@errand/models';
import type { ChatRequest } from './dialect.ts';
import { countInput, inputsOf } from './input.ts';

export interface MeasuredUsage {
  /** Whether the upstream reported all of these tokens. */
  isReported: boolean;
  /** The tokens that are charged. */
  tokens: Usage;
  /** The `usage` object of the answer. It is the upstream's own if the upstream sent one. */
  usage: Record<string, unknown>;
}

interface UsageSource {
  /** The upstream's `usage` object, if it sent one. */
  reported: unknown;
  /**
   * Whether the answer broke off some time after its usage was reported. The output then counts at least as many
   * tokens as the written text has.
   */
  outdated?: boolean;
  /** Counts the tokens of the text that the model wrote. */
  countOutput(): Promise<number>;
}

/**
 * The usage that the upstream reported. If the upstream reported none, the tokens are counted here, up to what the
 * model can read and write.
 */
export async function measureUsage(
  request: ChatRequest,
  { reported, outdated = false, countOutput }: UsageSource,
): Promise<MeasuredUsage> {
  const reportedTokens = readUsage(reported);
  const countWritten = async () => Math.min(mostWritten(request), await countOutput());
  if (!reportedTokens) {
    const { bound, model } = request;
    const most = Math.min(bound.inputTokens, model.contextTokens ?? Number.POSITIVE_INFINITY);
    const inputTokens = await countSent(request, most);
    return counted({ inputTokens, cachedInputTokens: 0, outputTokens: await countWritten() });
  }
  const writtenTokens = outdated ? await countWritten() : 0;
  if (writtenTokens > reportedTokens.outputTokens)
    return counted({ ...reportedTokens, outputTokens: writtenTokens });
  return {
    isReported: true,
    tokens: reportedTokens,
    usage: correctUsage(reported as Record<string, unknown>, reportedTokens),
  };
}

/** The input as it was sent. Where upstreams differ, it is that of a chat completion. */
async function countSent(request: ChatRequest, most: number): Promise<number> {
  const { body, bytes, messages, skill } = request;
  const [input, another] = inputsOf({ ...request, sent: bytes });
  if (!input || another || input.counted === bytes) return countInputTokens({ ...body, messages }, most);
  return Math.min(most, (await countInput(input, most)) + (skill?.injectedTokens ?? 0));
}

const mostWritten = ({ body, model: { maxOutputTokens, contextTokens } }: ChatRequest): number =>
  (maxOutputTokens ?? contextTokens ?? Number.POSITIVE_INFINITY) * (body.n ?? 1);

const counted = (tokens: Usage): MeasuredUsage => ({
  isReported: false,
  tokens,
  usage: formatUsage(tokens),
});

/** The upstream's whole report, with its token counts replaced by those that are charged. */
function correctUsage(reported: Record<string, unknown>, tokens: Usage): Record<string, unknown> {
  const { prompt_tokens, completion_tokens, total_tokens } = formatUsage(tokens);
  const isTotal = Number.isSafeInteger(reported.total_tokens) && Number(reported.total_tokens) >= 0;
  const details = reported.prompt_tokens_details as { cached_tokens?: unknown } | null | undefined;
  // Some providers have other names for these counts.
  const misread = tokens.cachedInputTokens !== (details?.cached_tokens ?? 0);
  return {
    ...reported,
    prompt_tokens,
    completion_tokens,
    total_tokens: isTotal ? reported.total_tokens : total_tokens,
    ...(misread && { prompt_tokens_details: { ...details, cached_tokens: tokens.cachedInputTokens } }),
  };
}
