import { countInputTokens, countText, type Model } from '@errand/models';
import { boundCompletion, type CompletionBound } from '@errand/money';
import { DomainError, describeError, type Log, limits, type Price, ThreadError } from '@errand/platform';
import { injectSkill } from '@errand/skills';
import { compressMessages } from './compress.ts';
import type { ReadRequest } from './dialect.ts';
import type { Message } from './edit-messages.ts';
import { hidesReasoning } from './hidden-reasoning.ts';
import type { ChatRequestBody } from './schema.ts';

type Bounded = Pick<ReadRequest, 'model' | 'compressed' | 'sent' | 'body' | 'skill'> &
  Partial<Pick<ReadRequest, 'answering'>>;

/** The instruction of the compressed variant has fewer tokens. */
const compressTokens = 256;

/** What the request may cost at most: its bytes as input, and as output what it asks for or what its model is taken to write. */
export function boundRequest(price: Price, request: Bounded): CompletionBound {
  const { model, compressed, sent, body, skill } = request;
  const pictures = picturesOf(body.messages);
  const imageTokens =
    pictures.count * (model.imageTokens ?? limits.reservedImageTokens) +
    pictures.files * (model.contextTokens ?? limits.reservedFileTokens);
  const nativeOnlyBytes = Math.max(0, nativeBytesOf(request) - sent.length);
  const added = nativeOnlyBytes + Buffer.byteLength(skill?.block ?? '') + (compressed ? compressTokens : 0);
  return boundCompletion(price, {
    mostInputTokens: Math.min(
      sent.length - pictures.bytes + imageTokens + added,
      model.contextTokens ?? Number.MAX_SAFE_INTEGER,
    ),
    countInput: async () =>
      imageTokens + nativeOnlyBytes + (await countInputTokens({ ...body, messages: shape(request) })),
    outputTokens: asksFor(body) ?? usualOutput(model),
    choices: body.n ?? 1,
  });
}

/**
 * Refuses a request whose text is more than its model reads by any tokenizer. Nothing is set aside for it yet. The text
 * is counted only if its bytes leave doubt, and in a thread. Throws the signal's reason.
 */
export async function checkContext(
  { log }: { log: Log },
  { model, sent, body, skill }: Pick<Bounded, 'model' | 'sent' | 'body' | 'skill'>,
  options: { signal: AbortSignal; owner: string },
): Promise<void> {
  const { contextTokens: limitTokens } = model;
  if (limitTokens === undefined) return;
  const moreThanTokens = Math.floor(limitTokens * limits.completionInputContexts);
  const left = moreThanTokens - (skill?.injectedTokens ?? 0);
  if (sent.length <= left) return;
  const { bytes, fileBytes } = picturesOf(body.messages);
  if (sent.length - bytes - fileBytes <= left) return;
  try {
    if ((await countText(sent, left + 1, options)) <= left) return;
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    log.warn('input not counted', { model: model.id, ...describeError(error) });
    return;
  }
  throw new DomainError('context_length_exceeded', { limitTokens, moreThanTokens });
}

/** 0 where no upstream speaks the caller's dialect. */
function nativeBytesOf({ model, answering }: Bounded): number {
  const native = answering?.native;
  const isAsked = [model.upstream, ...model.fallbacks].some(({ api }) => api === native?.api);
  return (native && isAsked && native.bytes()) || 0;
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

/** Types of message parts that may have far more tokens than bytes: a file by its address, or minutes of a film. */
const fileFields = [
  'file',
  'input_audio',
  'video_url',
  'audio_url',
  'document',
  'input_file',
  'video',
] as const;

/** The pictures of messages and the files of other kinds, with the bytes of those that are in the request. */
function picturesOf(messages: ChatRequestBody['messages']) {
  const found = { count: 0, bytes: 0, files: 0, fileBytes: 0 };
  for (const { content } of messages as readonly Message[]) {
    if (!Array.isArray(content)) continue;
    for (const part of content as (Record<string, unknown> | null)[]) {
      const files = fileFields.flatMap((name) => part?.[name] ?? []);
      if (files.length > 0) found.files++;
      for (const file of files) found.fileBytes += bytesIn(file);
      if (part?.image_url === undefined) continue;
      found.count++;
      const url = (part.image_url as { url?: unknown } | null)?.url ?? part.image_url;
      if (typeof url === 'string') found.bytes += url.length;
    }
  }
  return found;
}

/** The bytes of a file's content in a part, which is the field's text or in one of its fields. */
function bytesIn(file: unknown): number {
  const texts = typeof file === 'object' && file !== null ? Object.values(file) : [file];
  return texts.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
