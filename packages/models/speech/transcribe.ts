import { limits } from '@errand/platform';
import { askWhole, parseAnswer } from '../ask-whole.ts';
import type { Model, ModelUpstream } from '../catalogue.ts';
import type { UpstreamDeps } from '../deps.ts';
import { type RetryOptions, retryUpstream, tryUpstreams } from '../retry.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { UpstreamError } from '../upstream-error.ts';
import { type OpenRecording, type Recording, SlowRecording } from './protocol.ts';
import { speechProtocol } from './protocols.ts';
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
  return retryUpstream(deps, { attempts, ...retries }, () =>
    tryUpstreams(
      deps,
      model,
      (upstream, { signal, heard }) => askInTurn(deps, upstream, open, { signal, heard, taking }),
      retries.signal,
    ),
  );
}

type Asking = Pick<UpstreamRequest, 'signal' | 'heard' | 'taking'>;

/** Makes the protocol's requests until the server accepts one. Throws the first refusal if it accepts none. */
async function askInTurn(
  deps: UpstreamDeps,
  upstream: ModelUpstream,
  open: OpenRecording,
  how: Asking,
): Promise<Transcript> {
  const protocol = speechProtocol(upstream);
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

/** Reads the answer as JSON, and closes the recording in any case. */
async function ask(
  { clock }: UpstreamDeps,
  upstream: ModelUpstream,
  toRequest: (recording: Recording) => UpstreamRequest,
  recording: Recording,
  how: Asking,
): Promise<unknown> {
  const startedAt = clock();
  try {
    const { bytes } = await askWhole({ clock }, upstream, {
      ...toRequest(recording),
      firstByteMilliseconds: limits.audioToolMilliseconds,
      limitBytes: answerBytes,
      ...how,
    });
    return parseAnswer(bytes);
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
