import type { IncomingMessage } from 'node:http';
import { UpstreamError, type UpstreamFailure } from '@errand/models';
import { type Clock, limits, type StreamWriter } from '@errand/platform';
import { createChunkRelay, type Relayed } from './chunk-relay.ts';
import { createEventReader } from './read-events.ts';

export interface UpstreamStream {
  relayed: Relayed;
  /** From the request to the upstream's last byte so far. */
  inferenceMilliseconds(): number;
  /** Passes on what came and what comes; resolves at the upstream's end, with whether the answer is whole. */
  pipe(writer: StreamWriter): Promise<boolean>;
}

interface RelayInput {
  clock: Clock;
  response: IncomingMessage;
  modelId: string;
  /** Whether the last chunk with a finish_reason is held back, to carry our usage. */
  holdsFinish: boolean;
  startedAt: number;
  signal: AbortSignal;
}

const tailMilliseconds = 1_000;

/** Resolves with the first chunk. Until then a failure is an `UpstreamError`, so that a fallback can be tried. */
export function relayResponse(input: RelayInput): Promise<UpstreamStream> {
  const { clock, response, signal, startedAt } = input;
  const relay = createChunkRelay(input);
  const { relayed } = relay;
  const opened = Promise.withResolvers<UpstreamStream>();
  const ended = Promise.withResolvers<boolean>();
  let early = '';
  let writer: StreamWriter | undefined;
  let failed = false;
  let isOpened = false;
  let over = false;
  let lastByteAt = startedAt;

  const conclude = (failure: UpstreamFailure) => {
    if (over) return;
    over = true;
    clearTimeout(stall);
    if (relayed.done) releaseConnection(response);
    else response.destroy();
    if (isOpened) ended.resolve(relayed.done || (relayed.finished !== undefined && !failed));
    else opened.reject(signal.aborted ? signal.reason : new UpstreamError(failure));
  };
  const stall = setTimeout(() => {
    // A paused upstream is silent because the client does not read.
    if (response.isPaused()) stall.refresh();
    else conclude('timeout');
  }, limits.streamStallMilliseconds);

  const send = (text: string) => {
    if (!writer) early += text;
    else if (!writer.write(text) && !response.isPaused()) {
      response.pause();
      void writer.drained().then(() => {
        stall.refresh();
        response.resume();
      });
    }
  };
  const pipe = (given: StreamWriter): Promise<boolean> => {
    writer = given;
    if (early !== '') send(early);
    return ended.promise;
  };
  const reader = createEventReader((data, isError) => {
    const text = failed || isError ? undefined : relay.accept(data);
    if (text === undefined) failed = true;
    else if (text !== '') send(text);
  });
  const open = () => {
    if (isOpened || (early === '' && !relayed.held)) return;
    isOpened = true;
    opened.resolve({ relayed, inferenceMilliseconds: () => lastByteAt - startedAt, pipe });
  };

  response.on('data', (packet: Buffer) => {
    if (over) return;
    lastByteAt = clock();
    stall.refresh();
    if (!reader.push(packet)) failed = true;
    open();
    if (failed || relayed.done) conclude('broken');
  });
  response.on('end', () => {
    reader.end();
    open();
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
