import { type Model, type ModelUpstream, UpstreamError } from '@errand/models';
import { DomainError } from '@errand/platform';
import type { DecisionRequest } from '../../request.ts';
import { contextTokens } from '../ask.ts';
import { answerSheet, casePrompt } from './prompt.ts';
import { tokenize } from './tokenize.ts';
import { forgetVocabulary, tokenizeSheet, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** A prompt as the server's tokens, and where to look in it. */
export interface Layout {
  ids: number[];
  /** For each question the index in `ids` of its slot. */
  slots: number[];
  /** Ids of the labels, in the order of options: question i uses as many as it has options. */
  labels: number[];
  placeholder: number;
}

/** Tokens that a server generates at the least. */
const generatedTokens = 1;

/**
 * The prompt in tokens, counted: `context_length_exceeded` before the model is asked. `UpstreamError` `misconfigured`
 * for a tokenizer that has not enough labels of one token.
 */
export async function layOut(
  model: Model,
  upstream: ModelUpstream,
  request: DecisionRequest,
  signal: AbortSignal,
): Promise<Layout> {
  const vocabulary = await vocabularyOf(upstream);
  const needed = Math.max(...request.questions.map(({ options }) => options.length));
  const labels = vocabulary.labels.slice(0, needed);
  if (labels.length < needed) throw new UpstreamError('misconfigured');
  const labelTexts = labels.map(({ text }) => text);
  const sheet = answerSheet(request.questions.length, vocabulary.placeholder.text);
  const [prompt, tail] = await Promise.all([
    tokenize(upstream, { text: casePrompt(request, labelTexts) + sheet, special: true }, signal),
    tokenizeSheet(upstream, vocabulary, request.questions.length, signal),
  ]);
  const limitTokens = contextTokens(model);
  const modelTokens = prompt.modelTokens ?? limitTokens + generatedTokens;
  if (prompt.ids.length > Math.min(limitTokens, modelTokens - generatedTokens))
    throw new DomainError('context_length_exceeded', { limitTokens });
  const slots = findSlots(prompt.ids, tail, vocabulary, request.questions.length);
  if (!slots) {
    forgetVocabulary(upstream);
    throw new UpstreamError('unreadable');
  }
  return {
    ids: prompt.ids,
    slots,
    labels: labels.map(({ id }) => id),
    placeholder: vocabulary.placeholder.id,
  };
}

/**
 * Counted from the end, where the sheet alone must have the same tokens as the sheet in the prompt: what the caller's
 * text holds cannot move a slot. Undefined if they differ or a slot is not what the vocabulary says.
 */
function findSlots(
  ids: readonly number[],
  sheet: readonly number[],
  { placeholder, separator }: Vocabulary,
  questions: number,
): number[] | undefined {
  const before = separator.at(-1);
  const slots = sheet.flatMap((id, at) => (id === placeholder.id && sheet[at - 1] === before ? [at] : []));
  const offset = ids.length - sheet.length;
  const start = (slots[0] ?? 0) - 1;
  const same = sheet.every((id, at) => at < start || ids[offset + at] === id);
  if (slots.length !== questions || slots.at(-1) !== sheet.length - 1 || !same) return undefined;
  return slots.map((at) => offset + at);
}
