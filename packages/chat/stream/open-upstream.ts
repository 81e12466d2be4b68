import { type ModelUpstream, requestUpstream, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import type { ChatDeps } from '../deps.ts';
import { askWithLimit, type WriteBody } from '../output-limit.ts';
import type { PaidCall } from '../paid-call.ts';
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
  call: PaidCall,
  { upstream, hasNext }: { upstream: ModelUpstream; hasNext: boolean },
  signal: AbortSignal,
): Promise<UpstreamStream> {
  const { request } = call;
  const silenceMilliseconds = (request.model.silenceSeconds ?? limits.upstreamSilenceSeconds) * 1000;
  // A model that thinks has sent its answer's head. One that has not may never answer.
  const firstByteMilliseconds = hasNext
    ? Math.min(silenceMilliseconds, limits.firstByteWithFallbackMilliseconds)
    : silenceMilliseconds;
  const ask = async (write: WriteBody, asking: Asking) => {
    const startedAt = deps.clock();
    const response = await requestUpstream(upstream, {
      path: '/chat/completions',
      body: write({
        stream: 'true',
        stream_options:
          asking === 'nothing'
            ? undefined
            : JSON.stringify({
                ...(asking === 'with-options' && request.body.stream_options),
                include_usage: true,
              }),
      }),
      firstByteMilliseconds,
      watchFor: 'stream_options',
      signal,
      taking: call.taking,
    });
    return relayResponse({
      upstream,
      clock: deps.clock,
      response,
      answer: request.answering.stream(request),
      startedAt,
      silenceMilliseconds,
      signal,
      meter: createMeter(deps, call),
    });
  };
  return askWithLimit(call, upstream, (write) =>
    askForLess(deps, upstream, request.body.stream_options ?? {}, (asking) => ask(write, asking)),
  );
}

/** Asks with fewer `stream_options` each time the upstream refuses them. Remembers an upstream that refuses usage alone. */
async function askForLess(
  deps: Pick<ChatDeps, 'clock'>,
  upstream: ModelUpstream,
  options: object,
  ask: (asking: Asking) => Promise<UpstreamStream>,
): Promise<UpstreamStream> {
  // A longer time was set before the clock went back.
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
