import type { ReasoningModel } from '@errand/agent';
import { completeChat, completionCost, type Model, type UpstreamDeps } from '@errand/models';

const attempts = 5;
const defaultContextTokens = 32_768;

/** The catalogue's reasoning model as the agent calls it. The upstream client retries. */
export const reasoningModel = (upstream: UpstreamDeps, model: Model): ReasoningModel => ({
  id: model.id,
  contextTokens: model.contextTokens ?? defaultContextTokens,
  costNanoEuro: (usage) => completionCost(model, usage),
  complete: (request, signal) => completeChat(upstream, model, { ...request }, { signal, attempts }),
});
