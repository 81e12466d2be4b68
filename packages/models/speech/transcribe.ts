import { limits } from '@errand/platform';
import type { Model, ModelUpstream } from '../catalogue.ts';
import type { UpstreamDeps } from '../deps.ts';
import { readBytes } from '../read-bytes.ts';
import { type RetryOptions, retryUpstream, tryUpstreams } from '../retry.ts';
import { requestUpstream, type UpstreamRequest } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { defaultSpeechProtocol, speechProtocols } from './protocols.ts';
import { type OpenRecording, type Recording, SlowRecording } from './recording.ts';
import type { Transcript } from './transcript.ts';

const answerBytes = 64 * 1024 * 1024;
const attempts = 3;
/** A server that fails sooner may have failed for another reason than a slow recording. */
const slowMilliseconds = 10_000;

/**
 * Transcribes a recording, with retries and over the model's fallbacks. `open` is called for each try, and its stream
 * is sent; `taking` notes which upstream was asked and whether it has the recording in work. Throws `UpstreamError`, `SlowRecording`, the signal's reason, or what `open` throws.
 */
export function transcribe(
  deps: UpstreamDeps,
  model: Model,
  open: OpenRecording,
  options: Partial<RetryOptions> & Pick<UpstreamRequest, 'taking'> = {},
): Promise<Transcript> {
  const { taking, ...retries } = options;
  const how: Asking = {
    ...(retries.signal && { signal: retries.signal }),
    ...(taking && { taking }),
  };
  return retryUpstream(deps, { attempts, ...retries }, () =>
    tryUpstreams(deps, model, (upstream) => askInTurn(deps, upstream, open, how)),
  );
}

type Asking = Pick<UpstreamRequest, 'signal' | 'taking'>;

/** Makes the protocol's requests until the server accepts one. Throws the first refusal if it accepts none. */
async function askInTurn(
  deps: UpstreamDeps,
  upstream: ModelUpstream,
  open: OpenRecording,
  how: Asking,
): Promise<Transcript> {
  const protocol = speechProtocols[upstream.protocol ?? defaultSpeechProtocol];
  let refusal: unknown;
  for (const toRequest of protocol.requests(upstream)) {
    try {
      return protocol.read(await ask(deps, upstream, toRequest, await open(), how));
    } catch (error) {
      // A recording that is too large in one format is too large in all.
      if (!(error instanceof UpstreamError && error.kind === 'refused' && error.status !== 413)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** The answer as JSON. The recording is closed in any case. */
async function ask(
  { clock }: UpstreamDeps,
  upstream: ModelUpstream,
  toRequest: (recording: Recording) => UpstreamRequest,
  recording: Recording,
  how: Asking,
): Promise<unknown> {
  const startedAt = clock();
  try {
    const response = await requestUpstream(upstream, {
      ...toRequest(recording),
      firstByteMilliseconds: limits.audioToolMilliseconds,
      ...how,
    });
    const { signal } = how;
    const bytes = await readBytes(response, { limitBytes: answerBytes, ...(signal && { signal }) });
    return parse(bytes);
  } catch (error) {
    throw isSlow(recording, error, clock() - startedAt) ? new SlowRecording() : error;
  } finally {
    recording.body.destroy();
  }
}

/** Whether the server waited for the rest of the recording when it failed. */
function isSlow({ body }: Recording, failure: unknown, milliseconds: number): boolean {
  if (!(failure instanceof UpstreamError) || body.readableEnded) return false;
  const waited = body.readableLength === 0 && milliseconds >= slowMilliseconds;
  return failure.status === 408 || (waited && (failure.kind === 'broken' || failure.kind === 'timeout'));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UpstreamError('unreadable');
  }
}
