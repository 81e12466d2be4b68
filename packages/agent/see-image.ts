import {
  type CarbonIntensity,
  type Completion,
  completeChat,
  countInputTokens,
  impactTotals,
  inputOnly,
  type Model,
  measureImpact,
  priceAt,
  type RetryOptions,
  thinkingTokens,
  type UpstreamDeps,
  UpstreamError,
  type Usage,
} from '@errand/models';
import { boundCompletion, priceWork, type Taking, type Work } from '@errand/money';
import { limits, type Price } from '@errand/platform';
import type { PaidCalls } from './paid-calls.ts';
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

interface ShownImage {
  dataUrl: string;
  question: string;
}

/**
 * Asks the vision model about an image, whose bytes are in the data URL: a provider is given no address to fetch.
 * Costs one completion at the vision model's price; the answer may be as long as can be paid for. Throws
 * `ToolError`, whose words callers may see.
 */
export async function seeImage(
  deps: VisionDeps,
  image: ShownImage,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { visionModel: model } = deps;
  if (!model) throw new ToolError('No vision model is configured.');
  const price = priceAt(model, deps.upstream.clock());
  const bound = boundImage(model, price, image.question);
  const body = { messages: [messageOf(image)], max_tokens: outputTokensOf(model) };
  const workOf = workAt(model, price);
  const known = knownAt(workOf, image.question, bound.inputTokens);
  const seeing = deps.calls.make({ bound, known, signal }, async ({ nanoEuro, taking }) => {
    const max_tokens = bound.outputTokensFor(nanoEuro) ?? body.max_tokens;
    const options = { signal, taking, ...deps.retries };
    const completion = await completeChat(deps.upstream, model, { ...body, max_tokens }, options);
    const cost = { ...workOf(completion.usage, taking), ...(await impactOf(deps, model, completion)) };
    return { text: completion.message.content ?? '', cost };
  });
  const seen = await seeing.catch((error: unknown) => {
    signal.throwIfAborted();
    throw describe(error);
  });
  if (!seen) throw new ToolError('The credits that are left do not suffice to look at an image.');
  return { text: seen.text, costs: [seen.cost] };
}

type WorkOf = (usage: Usage, taking: Taking) => Work;

const workAt =
  (model: Model, price: Price): WorkOf =>
  (usage, { upstream }) =>
    priceWork({ kind: 'vision', model: model.id, ...usage, price, upstream });

/** What is known of a call before its answer. It is kept until the call is charged, and holds no image: an image counts the same whatever it shows. */
const knownAt = (workOf: WorkOf, question: string, mostTokens: number) => async (taking: Taking) => {
  const messages = [messageOf({ dataUrl: '', question })];
  return workOf(inputOnly(await countInputTokens({ messages }, mostTokens)), taking);
};

const outputTokensOf = (model: Model): number => limits.outputTokensPerCompletion + thinkingTokens(model);

const describe = (error: unknown): unknown =>
  error instanceof UpstreamError
    ? new ToolError(
        error.kind === 'refused'
          ? withReason('The vision model could not read the image', error)
          : 'The vision model could not be reached.',
        { cause: error },
      )
    : error;

const messageOf = ({ dataUrl, question }: ShownImage) => ({
  role: 'user',
  content: [
    { type: 'text', text: question },
    { type: 'image_url', image_url: { url: dataUrl } },
  ],
});

/** What the chat format adds to a message. */
const formatTokens = 32;

/** The most that a question about an image may cost. */
export function boundImage(model: Model, price: Price, question: string) {
  const imageTokens = model.imageTokens ?? limits.reservedImageTokens;
  const messages = [{ role: 'user', content: question }];
  return boundCompletion(price, {
    mostInputTokens: Math.min(
      imageTokens + Buffer.byteLength(question) + formatTokens,
      model.contextTokens ?? Number.MAX_SAFE_INTEGER,
    ),
    countInput: async () => imageTokens + (await countInputTokens({ messages })),
    outputTokens: outputTokensOf(model),
  });
}

async function impactOf({ carbonIntensity }: VisionDeps, model: Model, completion: Completion) {
  if (!carbonIntensity) return {};
  return impactTotals(await measureImpact({ carbonIntensity }, model, completion));
}
