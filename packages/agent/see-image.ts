import {
  type Completion,
  completeChat,
  completionCost,
  type Model,
  priceAt,
  type RetryOptions,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import { limits } from '@errand/platform';
import { type ToolAnswer, ToolError } from './tool.ts';

export interface VisionDeps {
  upstream: UpstreamDeps;
  /** Undefined if no vision model is configured. */
  visionModel: Model | undefined;
  retries?: Partial<RetryOptions>;
}

/**
 * Asks the vision model about an image, whose bytes are in the data URL: a provider is given no address to fetch. Costs
 * one completion at the vision model's price. Throws `ToolError`, whose words callers may see.
 */
export async function seeImage(
  deps: VisionDeps,
  image: { dataUrl: string; question: string },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { visionModel: model } = deps;
  if (!model) throw new ToolError('No vision model is configured.');
  const content = [
    { type: 'text', text: image.question },
    { type: 'image_url', image_url: { url: image.dataUrl } },
  ];
  let completion: Completion;
  try {
    const body = { messages: [{ role: 'user', content }], max_tokens: limits.outputTokensPerCompletion };
    completion = await completeChat(deps.upstream, model, body, { signal, ...deps.retries });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UpstreamError)) throw error;
    throw new ToolError(
      error.kind === 'refused'
        ? 'The vision model could not read the image.'
        : 'The vision model could not be reached.',
      { cause: error },
    );
  }
  const { usage, message } = completion;
  const amountNanoEuro = completionCost(priceAt(model, deps.upstream.clock()), usage);
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  return {
    text: message.content ?? '',
    costs: [
      { kind: 'vision', model: model.id, inputTokens, cachedInputTokens, outputTokens, amountNanoEuro },
    ],
  };
}
