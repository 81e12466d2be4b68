import { type Log, limits } from '@errand/platform';
import type { Model } from './catalogue.ts';
import type { Completion } from './complete-chat.ts';

/** Models that have thought for as long as they might write. There are no more of them than the catalogue has. */
const seen = new WeakSet<Model>();

/** Models of which the log has told. */
const told = new WeakSet<Model>();

/** Tells the operator, once, of a model whose entry should say `hiddenReasoning`. */
export function tellHiddenReasoning({ log }: { log: Log }, model: Model): void {
  if (told.has(model)) return;
  told.add(model);
  log.warn('hidden reasoning', { model: model.id, field: 'hiddenReasoning' });
}

/** How many tokens a model may think in, beside what it may write. */
export function thinkingTokens(model: Model): number {
  if (!(model.hiddenReasoning ?? seen.has(model))) return 0;
  const { outputTokens = limits.reservedReasoningTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = model;
  return Math.max(0, Math.min(outputTokens, maxOutputTokens - limits.outputTokensPerCompletion));
}

/** The share of a completion's limit that counts as all of the limit, and the share that counts as most of it. */
const allOf = 0.9;
const mostOf = 0.5;

/**
 * Remembers a model whose thinking has used up a limit that had no room for it, and tells the operator. Returns true if the
 * next completion has more room.
 */
export function noteThinking(
  deps: { log: Log },
  model: Model,
  { message, usage, finishReason }: Completion,
  limit: number,
): boolean {
  const hadRoom = limit > limits.outputTokensPerCompletion;
  if (model.hiddenReasoning !== undefined || hadRoom || finishReason !== 'length') return false;
  const isSilent = !message.content && !message.tool_calls;
  const thought = usage.reasoningTokens ?? (isSilent ? usage.outputTokens : 0);
  if (thought < limit * (isSilent ? allOf : mostOf)) return false;
  seen.add(model);
  tellHiddenReasoning(deps, model);
  return thinkingTokens(model) > 0;
}
