import { countInputTokens, type Model, tokensOfBase64, tokensPerImage } from '@errand/models';
import { limits } from '@errand/platform';
import type { Input, ReadRequest } from './dialect.ts';
import type { Message } from './edit-messages.ts';
import type { ChatRequestBody } from './schema.ts';

type Read = Pick<ReadRequest, 'model' | 'sent' | 'body'> & Partial<Pick<ReadRequest, 'answering'>>;

/**
 * What the model's upstreams read of a request: the chat completion, what is sent to those that speak the caller's
 * dialect, or the one or the other.
 */
export function inputsOf({ model, sent, body, answering }: Read): Input[] {
  const completion = completionInput(sent, body);
  const native = answering?.native;
  const upstreams = [model.upstream, ...model.fallbacks];
  const own = native ? upstreams.filter(({ api }) => api === native.api) : [];
  if (!native || own.length === 0) return [completion];
  const input = native.input(completion, own);
  return own.length < upstreams.length ? [completion, input] : [input];
}

/** The tokens of what is no text. */
export const estimateOf = ({ pictures, files }: Input, model: Model): number =>
  pictures * (model.imageTokens ?? limits.reservedImageTokens) +
  files * (model.contextTokens ?? limits.reservedFileTokens);

/** Counts an input up to `most`: its texts, and what `countInputTokens` finds in pictures and files. */
export async function countInput(
  { counted, pictures, fileBytes }: Input,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const body = JSON.parse(counted.toString('utf8')) as Parameters<typeof countInputTokens>[0];
  const beside = pictures * tokensPerImage + tokensOfBase64(fileBytes);
  return Math.min(most, beside + (await countInputTokens(body, most)));
}

/** How often an upstream reads the input: once more if it first summarizes it. */
export const passesOf = ({ isSummarized }: Input): number => (isSummarized ? 2 : 1);

function completionInput(sent: Buffer, body: ChatRequestBody): Input {
  const { count, bytes, files, fileBytes } = picturesOf(body.messages);
  const textBytes = sent.length - bytes - fileBytes;
  return { counted: sent, textBytes, fileBytes, sealedBytes: 0, pictures: count, files, isSummarized: false };
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
