import {
  type ImpactDeps,
  inputOnly,
  type Model,
  measureImpact,
  type UpstreamDeps,
  type Usage,
} from '@errand/models';
import type { Taking } from '@errand/money';
import { inParallel } from '@errand/platform';
import { askPass, countDecision, type MadeDecision, type Pass } from './ask-decision.ts';
import type { DecisionRequest } from './request.ts';

/** How many passes of one request the model is asked for at the same time. */
const passesAtOnce = 4;

/** What is known of the passes of a request while they are running and after one of them has failed. */
interface PassesInWork {
  /** By the position of the pass. */
  answered: (Pass | undefined)[];
  takings: Taking[];
  /** The taking of all passes together. */
  taking: Taking;
}

export function noPasses(passes: readonly DecisionRequest[]): PassesInWork {
  const takings = passes.map((): Taking => ({ taken: false }));
  return {
    answered: passes.map(() => undefined),
    takings,
    taking: {
      get taken() {
        return takings.some(({ taken }) => taken);
      },
      get upstream() {
        return takings.find(({ upstream }) => upstream !== undefined)?.upstream;
      },
    },
  };
}

/** Asks for all passes, and joins their answers. The first failure stops the other passes and is thrown. */
export async function askPasses(
  deps: UpstreamDeps & ImpactDeps,
  model: Model,
  passes: readonly DecisionRequest[],
  { signal, work }: { signal: AbortSignal; work: PassesInWork },
): Promise<MadeDecision> {
  const stop = new AbortController();
  const either = passes.length === 1 ? signal : AbortSignal.any([signal, stop.signal]);
  try {
    await inParallel(passes, passesAtOnce, async (pass, at) => {
      const asking = { signal: either, taking: work.takings[at]! };
      work.answered[at] = await askPass(deps, model, pass, asking);
    });
  } catch (error) {
    stop.abort();
    throw error;
  }
  const answered = work.answered.filter((pass) => pass !== undefined);
  const usage = sumUsage(answered.map((pass) => pass.usage));
  const inferenceMilliseconds = answered.reduce((sum, pass) => sum + pass.inferenceMilliseconds, 0);
  return {
    probabilities: answered.flatMap((pass) => pass.probabilities),
    usage,
    impact: await measureImpact(deps, model, { inferenceMilliseconds, usage }),
  };
}

/** The input tokens of the passes that were answered or that the model is still working on. */
export async function usageInWork(
  model: Model,
  passes: readonly DecisionRequest[],
  { answered, takings }: PassesInWork,
): Promise<Usage> {
  const usages = passes.map(async (pass, at) => {
    const isOpen = takings[at]?.taken === true;
    return answered[at]?.usage ?? inputOnly(isOpen ? await countDecision(model, pass) : 0);
  });
  return sumUsage(await Promise.all(usages));
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
