import {
  boundCompletion,
  type CarbonIntensity,
  type ChatBody,
  type Completion,
  completeChat,
  countInputTokens,
  impactTotals,
  inputOnly,
  type Model,
  measureImpact,
  priceAt,
  type RetryOptions,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import { limits, type Price } from '@errand/platform';
import { completionCallCost } from './completion-call-cost.ts';
import type { PaidCall, PaidCalls } from './paid-calls.ts';
import { type ToolAnswer, ToolError } from './tool.ts';
import { withReason } from './with-reason.ts';

export interface VisionDeps {
  upstream: UpstreamDeps;
  /** Undefined if no vision model is configured. */
  visionModel: Model | undefined;
  calls: PaidCalls;
  carbonIntensity?: CarbonIntensity;
  retries?: Partial<RetryOptions>;
}

export interface ShownImage {
  dataUrl: string;
  question: string;
}

/**
 * Asks the vision model about an image, whose bytes are in the data URL: a provider is given no address to fetch. Costs
 * one completion at the vision model's price. Throws `ToolError`, whose words callers may see.
 */
export async function seeImage(
  deps: VisionDeps,
  image: ShownImage,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { visionModel: model } = deps;
  if (!model) throw new ToolError('No vision model is configured.');
  const price = priceAt(model, deps.upstream.clock());
  const { call, body } = await payForImage(deps, model, price, image);
  const completion = await ask(deps, model, body, { call, signal });
  const { usage, message } = completion;
  const cost = completionCallCost('vision', model.id, { usage, price, taking: call.taking });
  const costs = [call.answered({ ...cost, ...(await impactOf(deps, model, completion)) })];
  return { text: message.content ?? '', costs };
}

async function ask(
  deps: VisionDeps,
  model: Model,
  body: ChatBody,
  { call, signal }: { call: PaidCall; signal: AbortSignal },
): Promise<Completion> {
  try {
    return await completeChat(deps.upstream, model, body, { signal, taking: call.taking, ...deps.retries });
  } catch (error) {
    await call.failed(signal);
    signal.throwIfAborted();
    if (!(error instanceof UpstreamError)) throw error;
    throw new ToolError(
      error.kind === 'refused'
        ? withReason('The vision model could not read the image', error)
        : 'The vision model could not be reached.',
      { cause: error },
    );
  }
}

/** The request, with as long an answer as can be paid for. */
async function payForImage(
  { calls }: VisionDeps,
  model: Model,
  price: Price,
  image: ShownImage,
): Promise<{ call: PaidCall; body: ChatBody }> {
  const body = { messages: [messageOf(image)], max_tokens: limits.outputTokensPerCompletion };
  const bound = boundImage(model, price, image.question);
  const call = await calls.start(bound, 'tool', async (taking) => {
    const usage = inputOnly(await countInputTokens(body));
    return completionCallCost('vision', model.id, { usage, price, taking });
  });
  if (!call) throw new ToolError('The credits that are left do not suffice to look at an image.');
  const max_tokens = bound.outputTokensFor(call.nanoEuro) ?? body.max_tokens;
  return { call, body: { ...body, max_tokens } };
}

const messageOf = ({ dataUrl, question }: ShownImage) => ({
  role: 'user',
  content: [
    { type: 'text', text: question },
    { type: 'image_url', image_url: { url: dataUrl } },
  ],
});

/** What the chat format adds to a message. */
const formatTokens = 32;

/** What looking at an image may cost at most. */
export function boundImage(model: Model, price: Price, question: string) {
  const imageTokens = model.imageTokens ?? limits.reservedImageTokens;
  const messages = [{ role: 'user', content: question }];
  return boundCompletion(price, {
    mostInputTokens: imageTokens + Buffer.byteLength(question) + formatTokens,
    countInput: async () => imageTokens + (await countInputTokens({ messages })),
    outputTokens: limits.outputTokensPerCompletion,
  });
}

async function impactOf({ carbonIntensity }: VisionDeps, model: Model, completion: Completion) {
  if (!carbonIntensity) return {};
  return impactTotals(await measureImpact({ carbonIntensity }, model, completion));
}
