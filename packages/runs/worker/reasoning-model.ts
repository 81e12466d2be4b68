import type { ReasoningModel } from '@errand/agent';
import {
  completeChat,
  type ImpactDeps,
  type Model,
  measureImpact,
  priceAt,
  type UpstreamDeps,
} from '@errand/models';
import { contextOf } from '../context-of.ts';

/** The longest wait that a run's worker sits out. For longer ones the run is given back. */
export const longestWaitMilliseconds = 2_000;

/** The catalogue's reasoning model as the agent calls it. The upstream client retries. */
export const reasoningModel = (upstream: UpstreamDeps & ImpactDeps, model: Model): ReasoningModel => ({
  id: model.id,
  contextTokens: contextOf(model),
  price: () => priceAt(model, upstream.clock()),
  impact: (work) => measureImpact(upstream, model, work),
  complete: (request, options) =>
    completeChat(upstream, model, { ...request }, { ...options, longestWaitMilliseconds }),
});
