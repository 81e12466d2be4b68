import {
  type Impact,
  type ImpactDeps,
  inputOnly,
  type Model,
  measureImpact,
  tokensPerImage,
  type UpstreamDeps,
  type Usage,
} from '@errand/models';
import { countCase, countQuestion } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import type { Asking, Reading } from './engines/engine.ts';
import { engineOf } from './engines/engines.ts';
import { type DecisionRequest, imagesOf } from './request.ts';

/** One pass of the model. */
export interface Pass extends Pick<Reading, 'probabilities' | 'labels' | 'inferenceMilliseconds'> {
  usage: Usage;
}

export interface MadeDecision extends Pick<Reading, 'probabilities' | 'labels'> {
  usage: Usage;
  impact: Impact;
}

/** Asks a decision model, and charges nobody. Throws what `Engine` throws. */
export async function askDecision(
  deps: UpstreamDeps & ImpactDeps,
  model: Model,
  request: DecisionRequest,
  asking: Asking,
): Promise<MadeDecision> {
  const { probabilities, labels, ...work } = await askPass(deps, model, request, asking);
  return { probabilities, labels, usage: work.usage, impact: await measureImpact(deps, model, work) };
}

/** Asks for one of several passes. Tokens are counted here if the model's server does not count them. */
export async function askPass(
  deps: UpstreamDeps,
  model: Model,
  request: DecisionRequest,
  asking: Asking,
): Promise<Pass> {
  const { probabilities, labels, inferenceMilliseconds, ...reported } = await engineOf(model).ask(
    deps,
    model,
    request,
    asking,
  );
  const inputTokens = reported.inputTokens ?? (await countDecision(model, request));
  const cachedInputTokens = Math.min(reported.cachedInputTokens ?? 0, inputTokens);
  const cacheWriteTokens = Math.min(reported.cacheWriteTokens ?? 0, inputTokens - cachedInputTokens);
  const usage = {
    ...inputOnly(inputTokens),
    cachedInputTokens,
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  };
  return { probabilities, labels, inferenceMilliseconds, usage };
}

/**
 * The tokens of what the model reads, without the prompt around it: texts by o200k, each image at a flat number. No more
 * than the model can read.
 */
export async function countDecision(model: Model, request: DecisionRequest): Promise<number> {
  const limitTokens = contextTokens(model);
  let tokens = imagesOf(request).length * tokensPerImage + (await countCase(request.input, limitTokens));
  for (const question of request.questions) tokens += await countQuestion(question, limitTokens);
  return Math.min(tokens, limitTokens);
}
