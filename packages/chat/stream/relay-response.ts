import type { IncomingMessage } from 'node:http';
import { UpstreamError, type UpstreamFailure } from '@errand/models';
import { type Clock, limits } from '@errand/platform';
import { createChunkRelay, type Relayed } from './chunk-relay.ts';
import { createEventReader } from './event-reader.ts';
import { createOutlet } from './outlet.ts';
import type { Sink } from './sink.ts';

export interface UpstreamStream {
  relayed: Relayed;
  /** From the request to the upstream's last byte so far. */
  inferenceMilliseconds(): number;
  /** Passes on what came and what comes; resolves at the upstream's end, with whether the answer is whole. */
  pipe(sink: Sink): Promise<boolean>;
}

interface RelayInput {
  clock: Clock;
  response: IncomingMessage;
  modelId: string;
  startedAt: number;
  signal: AbortSignal;
}

const tailMilliseconds = 1_000;

/** Resolves with the first chunk. Until then a failure is an `UpstreamError`, so that a fallback can be tried. */
export function relayResponse(input: RelayInput): Promise<UpstreamStream> {
  const { clock, response, signal, startedAt } = input;
  const relay = createChunkRelay(input.modelId);
  const { relayed } = relay;
  const outlet = createOutlet(response);
  const opened = Promise.withResolvers<UpstreamStream>();
  const ended = Promise.withResolvers<boolean>();
  let failed = false;
  let over = false;
  let lastByteAt = startedAt;

  const conclude = (failure: UpstreamFailure) => {
    if (over) return;
    over = true;
    clearTimeout(stall);
    outlet.close();
    if (relayed.done) releaseConnection(response);
    else response.destroy();
    if (outlet.opened()) ended.resolve(relayed.done || (relayed.finished && !failed));
    else opened.reject(signal.aborted ? signal.reason : new UpstreamError(failure));
  };
  const stall = setTimeout(() => {
    // A client that does not read holds the upstream back: that silence is not the upstream's.
    if (response.isPaused()) stall.refresh();
    else conclude('timeout');
  }, limits.streamStallMilliseconds);

  const pipe = (sink: Sink): Promise<boolean> => {
    outlet.attach(sink, () => stall.refresh());
    return ended.promise;
  };
  const flush = () => {
    const first = outlet.flush();
    if (first) opened.resolve({ relayed, inferenceMilliseconds: () => lastByteAt - startedAt, pipe });
  };
  const reader = createEventReader((data, isError) => {
    const passed = failed || isError ? undefined : relay.accept(data);
    if (!passed) failed = true;
    else if (passed.length > 0) outlet.add(passed);
  });

  response.on('data', (packet: Buffer) => {
    if (over) return;
    lastByteAt = clock();
    stall.refresh();
    if (!reader.push(packet)) failed = true;
    flush();
    if (failed || relayed.done) conclude('broken');
  });
  response.on('end', () => {
    reader.end();
    flush();
    conclude('broken');
  });
  response.on('error', () => conclude('broken'));
  response.on('close', () => conclude('broken'));
  return opened.promise;
}

/** What comes after the end is read away, so that the connection can serve again; not for ever. */
function releaseConnection(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), tailMilliseconds);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
  response.resume();
}
