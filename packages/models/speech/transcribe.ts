import { limits } from '@errand/platform';
import type { Model, ModelUpstream } from '../catalogue.ts';
import { readBytes } from '../read-bytes.ts';
import { retryUpstream, tryUpstreams, type UpstreamDeps } from '../retry.ts';
import { requestUpstream, type UpstreamRequest } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { deepgramRequest, readDeepgramTranscript } from './deepgram.ts';
import { formatsOf, openaiRequest, readOpenaiTranscript, type TranscriptFormat } from './openai.ts';
import type { OpenRecording, Recording } from './recording.ts';
import type { Transcript } from './transcript.ts';

const answerBytes = 64 * 1024 * 1024;
const attempts = 3;

type Send = (upstream: ModelUpstream, format: TranscriptFormat) => Promise<Transcript>;

/** Sends a recording as a stream. Throws `UpstreamError`, the signal's reason, or what `open` throws. */
export function transcribe(
  deps: UpstreamDeps,
  model: Model,
  open: OpenRecording,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Transcript> {
  const sendOnce: Send = async (upstream, format) => send(upstream, format, await open(), signal);
  return retryUpstream(deps, { attempts, ...(signal && { signal }) }, () =>
    tryUpstreams(deps, model, (upstream) => sendInFormats(upstream, sendOnce)),
  );
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
