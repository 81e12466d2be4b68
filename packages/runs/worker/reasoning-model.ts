import type { CompletionRequest, ReasoningModel } from '@errand/agent';
import {
  type ChatBody,
  completeChat,
  completionCost,
  type Model,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';

const attempts = 5;
const defaultContextTokens = 32_768;

/** The catalogue's reasoning model, behind the retries of the upstream client. */
export function reasoningModel(upstream: UpstreamDeps, model: Model): ReasoningModel {
  return {
    id: model.id,
    contextTokens: model.contextTokens ?? defaultContextTokens,
    costNanoEuro: (usage) => completionCost(model, usage),
    async complete(request, signal) {
      try {
        return await completeChat(upstream, model, { ...request }, { signal, attempts });
      } catch (error) {
        if (!wantsNewName(error)) throw error;
        return completeChat(upstream, model, withNewName(request), { signal, attempts });
      }
    },
  };
}

/** Newer OpenAI models refuse `max_tokens`; most other servers know nothing else. */
const wantsNewName = (error: unknown) =>
  error instanceof UpstreamError && error.kind === 'refused' && error.param === 'max_tokens';

function withNewName({ max_tokens, ...request }: CompletionRequest): ChatBody {
  return { ...request, max_completion_tokens: max_tokens };
}
