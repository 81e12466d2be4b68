import { type Log, limits } from '@errand/platform';
import type { Model } from './catalogue.ts';
import type { Completion } from './complete-chat.ts';
import { hasThoughts } from './opaque-fields.ts';

/** Models that have thought for as long as they might write, each with how often it has answered without thinking since it last thought. */
const seen = new WeakMap<Model, number>();

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

const answersToForget = 20;

/**
 * Remembers a model whose thinking has used up a limit that had no room for it, and tells the operator. Returns true if the
 * next completion has more room. The model is forgotten once it has answered so often in a row without a sign of thinking: some
 * models think on some turns alone, and a question may ask any model for a long text in the tags of a thought.
 */
export function noteThinking(
  deps: { log: Log },
  model: Model,
  completion: Completion,
  limit: number,
): boolean {
  if (model.hiddenReasoning !== undefined) return false;
  const answers = seen.get(model);
  const longest = isInTags(completion) ? answersToForget - 1 : 0;
  const isGuessed = answers === answersToForget - 1 && !isReported(completion);
  if (answers !== undefined && showsThinking(completion))
    seen.set(model, isGuessed ? answers : Math.min(answers, longest));
  else if (answers === answersToForget - 1) seen.delete(model);
  else if (answers !== undefined) seen.set(model, answers + 1);
  // A greater limit has room for thinking, and a lower one says only how little its caller can pay.
  if (limit !== limits.outputTokensPerCompletion || completion.finishReason !== 'length') return false;
  const isSilent = isSilentIn(completion);
  const { usage } = completion;
  const thought = usage.reasoningTokens ?? (isSilent ? usage.outputTokens : 0);
  if (thought < limit * (isSilent ? allOf : mostOf)) return false;
  seen.set(model, Math.min(answers ?? longest, longest));
  tellHiddenReasoning(deps, model);
  return thinkingTokens(model) > 0;
}

/** A question may ask any model for tags: what is in them alone holds until the next answer without. */
const isInTags = (completion: Completion): boolean =>
  typeof completion.message.opaque?.content === 'string' && !isReported(completion);

/** Whether the server tells of thinking beside the text, which no question can ask for. */
const isReported = ({ message: { opaque }, usage }: Completion): boolean =>
  (usage.reasoningTokens ?? 0) > 0 ||
  (opaque !== undefined &&
    hasThoughts(typeof opaque.content === 'string' ? { ...opaque, content: undefined } : opaque));

const isSilentIn = ({ message }: Completion): boolean => !message.content && !message.tool_calls;

/** A token of a text that was not thought about has more bytes. */
const fewBytesPerToken = 2;

function showsThinking(completion: Completion): boolean {
  const { message, usage } = completion;
  if ((usage.reasoningTokens ?? 0) > 0 || isSilentIn(completion)) return true;
  if (message.opaque && hasThoughts(message.opaque)) return true;
  const written = (message.content ?? '') + JSON.stringify(message.tool_calls ?? '');
  return Buffer.byteLength(written) < usage.outputTokens * fewBytesPerToken;
}
