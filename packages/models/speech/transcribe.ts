import { Readable } from 'node:stream';
import { limits } from '@errand/platform';
import type { Model, ModelUpstream } from '../catalogue.ts';
import { readBytes } from '../read-bytes.ts';
import { retryUpstream, tryUpstreams, type UpstreamDeps } from '../retry.ts';
import { requestUpstream, type UpstreamRequest } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { deepgramRequest, readDeepgramTranscript } from './deepgram.ts';
import { formatsOf, openaiRequest, readOpenaiTranscript, type TranscriptFormat } from './openai.ts';
import type { Recording, RecordingInput } from './recording.ts';
import { replayable } from './replay.ts';
import type { Transcript } from './transcript.ts';

const answerBytes = 64 * 1024 * 1024;
const attempts = 3;
const replayBytes = 25_000_000;

/** The recording cannot be sent once more: what went wrong the last time stands. */
class Spent extends Error {}

type Send = (upstream: ModelUpstream, format: TranscriptFormat) => Promise<Transcript>;

/** Sends a recording as a stream. Throws `UpstreamError`, or the signal's reason. */
export async function transcribe(
  deps: UpstreamDeps,
  model: Model,
  input: RecordingInput,
  options: { signal?: AbortSignal } = {},
): Promise<Transcript> {
  const { signal } = options;
  const { body } = input;
  const open = body instanceof Readable ? replayable(body, replayBytes) : body;
  let failure: unknown;
  const sendOnce: Send = async (upstream, format) => {
    const opened = await open();
    if (!opened) throw new Spent();
    try {
      return await send(upstream, format, { ...input, body: opened }, signal);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    return await retryUpstream(deps, { attempts, ...(signal && { signal }) }, () =>
      tryUpstreams(deps, model, (upstream) => sendInFormats(upstream, sendOnce)),
    );
  } catch (error) {
    throw error instanceof Spent ? failure : error;
  } finally {
    if (body instanceof Readable) body.destroy();
  }
}

/** A server that refuses a format it does not know is asked for the next simpler one. */
async function sendInFormats(upstream: ModelUpstream, sendOnce: Send): Promise<Transcript> {
  const formats = upstream.protocol === 'deepgram' ? (['json'] as const) : formatsOf(upstream.model);
  let refusal: unknown;
  for (const format of formats) {
    try {
      return await sendOnce(upstream, format);
    } catch (error) {
      if (!(error instanceof UpstreamError && error.kind === 'refused' && error.status !== 413)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function send(
  upstream: ModelUpstream,
  format: TranscriptFormat,
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
