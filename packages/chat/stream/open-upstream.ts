import { type ModelUpstream, requestUpstream, type Trial, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import type { ChatDeps } from '../deps.ts';
import type { EventRelay, Native, StreamAnswer } from '../dialect.ts';
import { askWithLimit, completionsPath, nativeOf, type WriteBody } from '../output-limit.ts';
import type { ChatCall } from '../paid-call.ts';
import { createChunkRelay } from './chunk-relay.ts';
import { createMeter } from './meter.ts';
import { relayResponse, type UpstreamStream } from './relay-response.ts';

/** Upstreams that refuse `stream_options`, with the time in milliseconds until which the field is not sent to them. */
const refusing = new WeakMap<ModelUpstream, number>();
const refusingMilliseconds = 10 * 60_000;

/** The `stream_options` to send: usage and the caller's own, usage alone, or none. */
type Asking = 'with-options' | 'usage-alone' | 'nothing';

/** Opens a stream and resolves when its first chunk has come. Throws `UpstreamError`, or the signal's reason. */
export async function openUpstream(
  deps: ChatDeps,
  call: ChatCall,
  upstream: ModelUpstream,
  { hasNext, signal, heard }: Trial,
): Promise<UpstreamStream> {
  const { request } = call;
  const silenceMilliseconds = (request.model.silenceSeconds ?? limits.upstreamSilenceSeconds) * 1000;
  // A model that thinks has already sent the head of its answer. An upstream that has sent no head may never
  // answer.
  const firstByteMilliseconds = hasNext
    ? Math.min(silenceMilliseconds, limits.firstByteWithFallbackMilliseconds)
    : silenceMilliseconds;
  const open = async (
    { path, headers, body }: Pick<Native, 'path' | 'headers'> & { body: Uint8Array },
    reading: { relay: EventRelay; answer: StreamAnswer },
  ) => {
    const startedAt = deps.clock();
    const response = await requestUpstream(upstream, {
      path,
      headers,
      body,
      firstByteMilliseconds,
      watchFor: 'stream_options',
      signal,
      heard,
      taking: call.paid.taking,
    });
    return relayResponse({
      upstream,
      clock: deps.clock,
      response,
      ...reading,
      startedAt,
      silenceMilliseconds,
      pingMilliseconds: Math.max(silenceMilliseconds, limits.upstreamPingSeconds * 1000),
      heard,
      signal,
      meter: createMeter(deps, call),
    });
  };
  const native = nativeOf(deps, request, upstream);
  if (native) {
    const { path, headers } = native;
    const body = native.body(request, upstream, call.outputTokens);
    return open({ path, headers, body }, native.stream(request));
  }
  const { stream_options } = request.body;
  const ask = (write: WriteBody, asking: Asking) => {
    const body = write({ stream: 'true', stream_options: writeOptions(asking, stream_options) });
    const answer = request.answering.stream(request);
    return open({ path: completionsPath, body }, { relay: createChunkRelay(answer), answer });
  };
  return askWithLimit(deps, call, upstream, (write) =>
    askForLess(deps, upstream, stream_options ?? {}, (asking) => ask(write, asking)),
  );
}

const writeOptions = (asking: Asking, own: object | null | undefined): string | undefined =>
  asking === 'nothing'
    ? undefined
    : JSON.stringify({ ...(asking === 'with-options' && own), include_usage: true });

/** Asks with fewer `stream_options` each time the upstream refuses them. Remembers an upstream that refuses usage alone. */
async function askForLess(
  deps: Pick<ChatDeps, 'clock'>,
  upstream: ModelUpstream,
  options: object,
  ask: (asking: Asking) => Promise<UpstreamStream>,
): Promise<UpstreamStream> {
  // More than `refusingMilliseconds` are left only if the clock went back since.
  const refusesFor = (refusing.get(upstream) ?? 0) - deps.clock();
  if (refusesFor > 0 && refusesFor <= refusingMilliseconds) return ask('nothing');
  const ownOptions = Object.keys(options).some((name) => name !== 'include_usage');
  try {
    return await ask(ownOptions ? 'with-options' : 'usage-alone');
  } catch (error) {
    if (!refusesOptions(error)) throw error;
  }
  if (ownOptions) {
    try {
      return await ask('usage-alone');
    } catch (error) {
      if (!refusesOptions(error)) throw error;
    }
  }
  const stream = await ask('nothing');
  refusing.set(upstream, deps.clock() + refusingMilliseconds);
  return stream;
}

const refusesOptions = (error: unknown): boolean =>
  error instanceof UpstreamError && error.kind === 'refused' && Boolean(error.mentioned);
