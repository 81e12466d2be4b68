import { limits } from '@errand/platform';
import type { Model } from './catalogue.ts';
import type { Completion } from './complete-chat.ts';

/** Models that have thought for as long as they might write. There are no more of them than the catalogue has. */
const seen = new WeakSet<Model>();

/** How many tokens a model may think in, beside what it may write. */
export function thinkingTokens(model: Model): number {
  if (!(model.hiddenReasoning ?? seen.has(model))) return 0;
  const { outputTokens = limits.reservedReasoningTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = model;
  return Math.max(0, Math.min(outputTokens, maxOutputTokens - limits.outputTokensPerCompletion));
}

/** What of a completion's limit counts as all of it, or as most. */
const allOf = 0.9;
const mostOf = 0.5;

/** Remembers a model whose thinking has used what was there for its answer. True if that is news. */
export function noteThinking(model: Model, completion: Completion, limit: number): boolean {
  if (model.hiddenReasoning !== undefined || seen.has(model) || completion.finishReason !== 'length')
    return false;
  const { message, usage } = completion;
  const isSilent = !message.content && !message.tool_calls;
  const thought = usage.reasoningTokens ?? (isSilent ? usage.outputTokens : 0);
  if (thought < limit * (isSilent ? allOf : mostOf)) return false;
  seen.add(model);
  return true;
}
