import {
  type ImpactDeps,
  inputOnly,
  type Model,
  measureImpact,
  type UpstreamDeps,
  type Usage,
} from '@errand/models';
import { inParallel } from '@errand/platform';
import { askPass, type MadeDecision, type Pass } from './ask-decision.ts';
import type { Asking } from './engines/engine.ts';
import type { DecisionRequest } from './request.ts';

/** How many passes of one request the model is asked for at the same time. */
const passesAtOnce = 4;

/** Asks for all passes, and joins their answers. The first failure stops the other passes and is thrown. */
export async function askPasses(
  deps: UpstreamDeps & ImpactDeps,
  model: Model,
  passes: readonly DecisionRequest[],
  { signal, taking }: Asking,
): Promise<MadeDecision> {
  const stop = new AbortController();
  const either = passes.length === 1 ? signal : AbortSignal.any([signal, stop.signal]);
  const answered: Pass[] = [];
  try {
    await inParallel(passes, passesAtOnce, async (pass, at) => {
      answered[at] = await askPass(deps, model, pass, { signal: either, taking });
    });
  } catch (error) {
    stop.abort();
    throw error;
  }
  const usage = sumUsage(answered.map((pass) => pass.usage));
  const inferenceMilliseconds = answered.reduce((sum, pass) => sum + pass.inferenceMilliseconds, 0);
  const labels = answered.flatMap((pass) => pass.labels ?? []);
  return {
    probabilities: answered.flatMap((pass) => pass.probabilities),
    labels: labels.length > 0 ? labels : undefined,
    usage,
    impact: await measureImpact(deps, model, { inferenceMilliseconds, usage }),
  };
}

function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (name: 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens') =>
    usages.reduce((total, usage) => total + (usage[name] ?? 0), 0);
  const cacheWriteTokens = sum('cacheWriteTokens');
  return {
    ...inputOnly(sum('inputTokens')),
    cachedInputTokens: sum('cachedInputTokens'),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  };
}
