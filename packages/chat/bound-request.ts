import { countInputTokens, countText, type Model } from '@errand/models';
import { boundCompletion, type CompletionBound } from '@errand/money';
import { DomainError, describeError, type Log, limits, type Price, ThreadError } from '@errand/platform';
import { injectSkill } from '@errand/skills';
import { compressMessages } from './compress.ts';
import type { Input, ReadRequest } from './dialect.ts';
import type { Message } from './edit-messages.ts';
import { hidesReasoning } from './hidden-reasoning.ts';
import { countInput, estimateOf, inputsOf, passesOf } from './input.ts';
import type { ChatRequestBody } from './schema.ts';

type Bounded = Pick<ReadRequest, 'model' | 'compressed' | 'sent' | 'body' | 'skill'> &
  Partial<Pick<ReadRequest, 'answering'>>;

/** The instruction of the compressed variant has fewer tokens. */
const compressTokens = 256;

/** What the request may cost at most: its bytes as input, and as output what it asks for or what its model is taken to write. */
export function boundRequest(
  price: Price,
  request: Bounded,
  inputs: readonly Input[] = inputsOf(request),
): CompletionBound {
  const { model, compressed, body, skill } = request;
  const added = Buffer.byteLength(skill?.block ?? '') + (compressed ? compressTokens : 0);
  const mostOf = (input: Input) => {
    const { textBytes, fileBytes, sealedBytes } = input;
    const tokens = textBytes + fileBytes + sealedBytes + estimateOf(input, model) + added;
    return passesOf(input) * Math.min(tokens, model.contextTokens ?? Number.MAX_SAFE_INTEGER);
  };
  const outputTokens = asksFor(body) ?? usualOutput(model);
  const isSummarized = inputs.some((input) => input.isSummarized);
  return boundCompletion(price, {
    mostInputTokens: Math.max(...inputs.map(mostOf)),
    countInput: () => countInputs(request),
    outputTokens,
    choices: body.n ?? 1,
    // A summary may be longer than a short answer.
    besideTokens: isSummarized ? Math.max(outputTokens, usualOutput(model)) : 0,
  });
}

/** The most that one of the upstreams reads. */
async function countInputs(request: Bounded): Promise<number> {
  const { model, compressed, sent, body, skill } = request;
  const counts = inputsOf(request).map(async (input) => {
    const text =
      input.counted === sent
        ? await countInputTokens({ ...body, messages: shape(request) })
        : (await countInput(input)) + (skill?.injectedTokens ?? 0) + (compressed ? compressTokens : 0);
    return passesOf(input) * (input.sealedBytes + estimateOf(input, model) + text);
  });
  return Math.max(...(await Promise.all(counts)));
}

/**
 * Refuses a request whose text is more than its model reads by any tokenizer. Nothing is set aside for it yet. The text
 * is counted only if its bytes leave doubt, and in a thread. Throws the signal's reason.
 */
export async function checkContext(
  { log }: { log: Log },
  { model, skill, inputs }: Pick<Bounded, 'model' | 'skill'> & { inputs: readonly Input[] },
  options: { signal: AbortSignal; owner: string },
): Promise<void> {
  const { contextTokens: limitTokens } = model;
  if (limitTokens === undefined) return;
  const moreThanTokens = Math.floor(limitTokens * limits.completionInputContexts);
  const left = moreThanTokens - (skill?.injectedTokens ?? 0);
  try {
    for (const { counted, textBytes } of inputs)
      if (textBytes > left && (await countText(counted, left + 1, options)) > left)
        throw new DomainError('context_length_exceeded', { limitTokens, moreThanTokens });
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    log.warn('input not counted', { model: model.id, ...describeError(error) });
  }
}

/** The most output tokens of each choice that the caller asks for. */
export const asksFor = (
  body: Pick<ChatRequestBody, 'max_tokens' | 'max_completion_tokens'>,
): number | undefined => Math.max(body.max_tokens ?? 0, body.max_completion_tokens ?? 0) || undefined;

/** The output tokens that are set aside for a request without an output limit. */
export function usualOutput(model: Model): number {
  const { outputTokens, maxOutputTokens, contextTokens } = model;
  const usual = hidesReasoning(model) ? limits.reservedReasoningTokens : limits.reservedOutputTokens;
  return Math.min(outputTokens ?? usual, maxOutputTokens ?? contextTokens ?? Infinity);
}

/**
 * The output limit of each choice that the provider of a stream is told, even if the reservation pays for all of
 * it: nothing more can be set aside for hidden reasoning while the stream goes on. Undefined if the caller sets a
 * limit, or if the model writes everything that it bills.
 */
export function toldOutput({ model, sent, body }: Pick<Bounded, 'model' | 'sent' | 'body'>) {
  if (!body.stream || asksFor(body) !== undefined || !hidesReasoning(model)) return undefined;
  return outputBeside(model, sent.length);
}

/** The output that a model is taken to write beside this input. */
export function outputBeside(model: Model, inputBytes: number): number {
  const { contextTokens = Infinity } = model;
  // Some servers refuse input and output that together are more than the context. No text has more tokens than bytes.
  const left = Math.max(contextTokens - inputBytes, Math.floor(contextTokens / 2));
  return Math.min(usualOutput(model), left);
}

function shape({ body, skill, compressed }: Bounded): readonly Message[] {
  const injected = skill ? injectSkill(body.messages, skill) : body.messages;
  return compressed ? compressMessages(injected) : injected;
}
