import { type Model, type ModelUpstream, UpstreamError } from '@errand/models';
import { DomainError } from '@errand/platform';
import type { DecisionRequest } from '../../request.ts';
import { contextTokens } from '../ask.ts';
import { answerSheet, casePrompt } from './prompt.ts';
import { tokenize } from './tokenize.ts';
import { forgetVocabulary, tokenizeSheet, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** A prompt in the server's tokens, with the positions and tokens to read from its answer. */
export interface Layout {
  ids: number[];
  /** The index in `ids` of each question's slot. */
  slots: number[];
  /** The token ids of the labels, in the order of options. A question with n options uses the first n. */
  labels: number[];
  placeholder: number;
}

/** Servers generate one token at least and need room for it in the model's context. */
const generatedTokens = 1;

/**
 * Tokenizes the prompt. Throws `context_length_exceeded` for a prompt over the limit, before the model is asked, and
 * `UpstreamError` `misconfigured` if the tokenizer has too few labels that are one token.
 */
export async function layOut(
  model: Model,
  upstream: ModelUpstream,
  request: DecisionRequest,
  signal: AbortSignal,
): Promise<Layout> {
  const vocabulary = await unlessAborted(signal, vocabularyOf(upstream));
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

/** Rejects with the signal's reason as soon as that aborts. The work goes on: other requests wait for it too. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * The positions of the slots in the prompt, counted from its end, so that the caller's text cannot move a slot.
 * Undefined if the answer sheet has other tokens at the prompt's end than alone, or not one slot per question.
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
