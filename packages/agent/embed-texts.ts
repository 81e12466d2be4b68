import {
  boundEmbedding,
  type CarbonIntensity,
  countEmbedded,
  embed,
  embeddingWork,
  failureFields,
  type Impact,
  inputOnly,
  type Model,
  measureImpact,
  priceAt,
  toNumbers,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import type { Taking, Work } from '@errand/money';
import { joinVectors, type PackedVectors, packVectors } from '@errand/passages';
import { inParallel, limits, startTimer } from '@errand/platform';
import { density } from './context/size.ts';
import type { CallCost, PaidCalls } from './paid-calls.ts';

/** Makes vectors of texts, for one run. */
export interface Embedder {
  /** The id of the model, whose vectors cannot be compared with those of another. */
  model: string;
  /**
   * A vector for each text, and what they cost together. Undefined if what is left does not pay for them, or once the
   * model has failed. Throws the signal's reason alone.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded | undefined>;
}

export interface Embedded {
  vectors: PackedVectors;
  cost: CallCost;
}

interface EmbedderDeps {
  upstream: UpstreamDeps;
  /** Undefined if no embedding model is configured. */
  embeddingModel: Model | undefined;
  calls: PaidCalls;
  carbonIntensity: CarbonIntensity;
}

/** Undefined without a model. */
export function makeEmbedder({ embeddingModel: model, ...deps }: EmbedderDeps): Embedder | undefined {
  if (!model) return undefined;
  let hasFailed = false;
  return {
    model: model.id,
    async embed(texts, signal) {
      if (hasFailed) return undefined;
      try {
        return await embedAll(
          deps,
          model,
          texts.map((text) => fitted(model, text)),
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        hasFailed = true;
        if (!(error instanceof UpstreamError)) throw error;
        deps.upstream.log.warn('embedding failed', { ...failureFields(error), model: model.id });
        return undefined;
      }
    },
  };
}

/** What servers put around a text, and what we may misjudge of its tokens. */
const sparedTokens = 16;
const charactersPerToken = 3;
/** More than `density` finds of any text. */
const greatestDensity = 3;
const usualContextTokens = 8_192;

/** The beginning of a text that the model can read: some servers refuse a longer one. */
function fitted({ contextTokens = usualContextTokens }: Model, text: string): string {
  const room = Math.max(1, contextTokens - sparedTokens) * charactersPerToken;
  if (text.length * greatestDensity <= room) return text;
  return text.slice(0, Math.floor(room / density(text.slice(0, room)))).toWellFormed();
}

interface Batch {
  texts: string[];
  taking: Taking;
  /** Undefined until the batch is answered. */
  inputTokens?: number;
  inferenceMilliseconds?: number;
  /** When it was answered. */
  answeredAt?: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

async function embedAll(
  { upstream: deps, calls, carbonIntensity }: Omit<EmbedderDeps, 'embeddingModel'>,
  model: Model,
  texts: string[],
  signal: AbortSignal,
): Promise<Embedded | undefined> {
  const price = priceAt(model, deps.clock());
  const bound = boundEmbedding(price, model, texts);
  const batches = inBatches(texts);
  const workOf = (inputTokens: number, impact?: Impact): Work =>
    embeddingWork({ model: model.id, price, inputTokens, impact }, batches[0]!.taking);
  const known = async () => {
    const taken = batches.filter(({ taking, inputTokens }) => taking.taken || inputTokens !== undefined);
    if (taken.length === 0) return undefined;
    const counted = taken.map(async (batch) => batch.inputTokens ?? countEmbedded(model, batch.texts));
    return { ...workOf(sum(await Promise.all(counted))), brokenOff: true };
  };
  const late = new AbortController();
  const stopTimer = startTimer(deps, limits.embeddingMilliseconds, () =>
    late.abort(new UpstreamError('timeout')),
  );
  const startedAt = deps.clock();
  const asking = { signal: AbortSignal.any([signal, late.signal]), attempts, longestWaitMilliseconds };
  const making = calls.make({ bound, known, signal }, async (call) => {
    call.learn(known);
    const found: PackedVectors[] = [];
    await inParallel(batches, batchesAtOnce, async (batch, place) => {
      const request = { input: batch.texts, encoding_format: 'base64' as const };
      const made = await embed(deps, model, request, { ...asking, taking: batch.taking });
      batch.inputTokens = made.inputTokens ?? (await countEmbedded(model, batch.texts));
      batch.inferenceMilliseconds = made.inferenceMilliseconds;
      found[place] = packVectors(made.vectors.map(toNumbers));
      batch.answeredAt = deps.clock();
      if (isTooSlow(batches, startedAt)) throw new UpstreamError('timeout');
    });
    const inputTokens = sum(batches.map((batch) => batch.inputTokens ?? 0));
    const inferenceMilliseconds = sum(batches.map((batch) => batch.inferenceMilliseconds ?? 0));
    const work = { inferenceMilliseconds, usage: inputOnly(inputTokens) };
    const impact = await measureImpact({ carbonIntensity }, model, work);
    return { vectors: joinVectors(found), cost: workOf(inputTokens, impact) };
  });
  return making.finally(() => {
    stopTimer();
    // If a batch has failed, this ends the others.
    late.abort(new UpstreamError('broken'));
  });
}

/**
 * Whether the others will not be answered in time: all of them would be paid to the provider, and none of them would be of use.
 * The first round of batches, in which a server may have been started, does not tell how long a later one takes.
 */
function isTooSlow(batches: readonly Batch[], startedAt: number): boolean {
  const answered = batches.flatMap(({ answeredAt }) => answeredAt ?? []).toSorted((a, b) => a - b);
  if (answered.length < telling) return false;
  const first = answered[batchesAtOnce - 1]!;
  const each = (answered.at(-1)! - first) / (answered.length - batchesAtOnce);
  const needed = first - startedAt + each * (batches.length - batchesAtOnce);
  return needed > limits.embeddingMilliseconds;
}

const attempts = 2;
const longestWaitMilliseconds = 2_000;
const batchesAtOnce = 4;
/** The batches that tell how long the others take. */
const telling = 2 * batchesAtOnce;
/** Servers such as Text Embeddings Inference take no more at once, unless they are told otherwise. */
const textsAtOnce = 32;

const inBatches = (texts: readonly string[]): Batch[] =>
  Array.from({ length: Math.ceil(texts.length / textsAtOnce) }, (_, i) => ({
    texts: texts.slice(i * textsAtOnce, (i + 1) * textsAtOnce),
    taking: { taken: false },
  }));
