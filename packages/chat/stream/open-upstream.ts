import { type ModelUpstream, requestUpstream, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import type { ChatDeps } from '../deps.ts';
import { type ChatRequest, upstreamBody } from '../read-request.ts';
import { relayResponse, type UpstreamStream } from './relay-response.ts';

/** Upstreams that answered a request for usage with a refusal. They are asked without from then on. */
const withoutStreamOptions = new WeakSet<ModelUpstream>();

/** A stream whose first chunk has come. Throws `UpstreamError`, or the signal's reason. */
export async function openUpstream(
  deps: ChatDeps,
  request: ChatRequest,
  upstream: ModelUpstream,
  signal: AbortSignal,
): Promise<UpstreamStream> {
  const ask = async () => {
    const startedAt = deps.clock();
    const response = await requestUpstream(upstream, {
      path: '/chat/completions',
      body: upstreamBody(request, upstream, {
        stream: 'true',
        stream_options: withoutStreamOptions.has(upstream)
          ? undefined
          : JSON.stringify({ ...request.body.stream_options, include_usage: true }),
      }),
      firstByteMilliseconds: limits.streamStallMilliseconds,
      watchFor: 'stream_options',
      signal,
    });
    return relayResponse({ clock: deps.clock, response, modelId: request.modelId, startedAt, signal });
  };
  try {
    return await ask();
  } catch (error) {
    const asked = !withoutStreamOptions.has(upstream);
    if (!(asked && error instanceof UpstreamError && error.kind === 'refused' && error.mentioned))
      throw error;
    const stream = await askWithout(upstream, ask);
    return stream;
  }
}

/** Remembered only if leaving it out was what helped. */
async function askWithout<T>(upstream: ModelUpstream, ask: () => Promise<T>): Promise<T> {
  withoutStreamOptions.add(upstream);
  try {
    return await ask();
  } catch (error) {
    withoutStreamOptions.delete(upstream);
    throw error;
  }
}
