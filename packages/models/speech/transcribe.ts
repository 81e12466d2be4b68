import { Readable } from 'node:stream';
import { limits } from '@errand/platform';
import type { Model, ModelUpstream } from '../catalogue.ts';
import { readBytes } from '../read-bytes.ts';
import { retryUpstream, tryUpstreams, type UpstreamDeps } from '../retry.ts';
import { requestUpstream, type UpstreamRequest } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { deepgramRequest, readDeepgramTranscript } from './deepgram.ts';
import { formatsOf, openaiRequest, readOpenaiTranscript } from './openai.ts';
import type { Transcript } from './transcript.ts';

export interface Recording {
  body: Readable;
  filename: string;
  contentType: string;
  /** Its size, where it is known: some servers refuse a form without a length. */
  bytes?: number;
}

/** A body that can be opened again is tried again, and over fallbacks; one that is already open is sent once. */
export type RecordingInput = Omit<Recording, 'body'> & {
  body: Readable | (() => Readable | Promise<Readable>);
};

const answerBytes = 64 * 1024 * 1024;
const attempts = 3;

/** Sends a recording as a stream. Throws `UpstreamError`, or the signal's reason. */
export async function transcribe(
  deps: UpstreamDeps,
  model: Model,
  input: RecordingInput,
  options: { signal?: AbortSignal } = {},
): Promise<Transcript> {
  const { signal } = options;
  const { body } = input;
  if (body instanceof Readable) {
    const opened = { ...input, body };
    return send(model.upstream, formatsOf(model.upstream.model)[0] ?? 'json', opened, signal);
  }
  const open = async () => ({ ...input, body: await body() });
  return retryUpstream(deps, { attempts, ...(signal && { signal }) }, () =>
    tryUpstreams(deps, model, (upstream) => sendInFormats(upstream, open, signal)),
  );
}

/** A server that refuses a format it does not know is asked for the next simpler one. */
async function sendInFormats(
  upstream: ModelUpstream,
  open: () => Promise<Recording>,
  signal?: AbortSignal,
): Promise<Transcript> {
  const formats = upstream.protocol === 'deepgram' ? (['json'] as const) : formatsOf(upstream.model);
  let refusal: unknown;
  for (const format of formats) {
    try {
      return await send(upstream, format, await open(), signal);
    } catch (error) {
      if (!(error instanceof UpstreamError && error.kind === 'refused' && error.status !== 413)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function send(
  upstream: ModelUpstream,
  format: ReturnType<typeof formatsOf>[number],
  recording: Recording,
  signal?: AbortSignal,
): Promise<Transcript> {
  const deepgram = upstream.protocol === 'deepgram';
  const request: UpstreamRequest = deepgram
    ? deepgramRequest(upstream.baseUrl, upstream.model, recording)
    : openaiRequest(upstream.model, format, recording);
  try {
    const response = await requestUpstream(upstream, {
      ...request,
      firstByteMilliseconds: limits.audioToolMilliseconds,
      ...(signal && { signal }),
    });
    const bytes = await readBytes(response, { limitBytes: answerBytes, ...(signal && { signal }) });
    const json = parse(bytes);
    return deepgram ? readDeepgramTranscript(json) : readOpenaiTranscript(json);
  } finally {
    recording.body.destroy();
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UpstreamError('unreadable');
  }
}
