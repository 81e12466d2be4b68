import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';

interface RequestTimes {
  connectMilliseconds: number;
  /** How long a request may wait for one of the connections, all of which are in use. */
  waitMilliseconds: number;
  /** The time from getting a connection until the whole answer has arrived. */
  answerMilliseconds: number;
}

/** A connection that was idle for the timeout is closed. */
const pool = { keepAlive: true, maxSockets: 200, timeout: 60_000 };

/**
 * Sends the SDK's small JSON requests, which have no query, and reads each answer whole within one time limit. The
 * SDK's own handler limits the time of the answer's head alone, and takes more CPU. The SDK retries what fails here.
 */
export function createRequestHandler(
  times: RequestTimes,
): RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  const plain = { request: http.request, agent: new http.Agent(pool) };
  const secure = { request: https.request, agent: new https.Agent(pool) };
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    destroy() {
      plain.agent.destroy();
      secure.agent.destroy();
    },
    async handle({ protocol, hostname, port, path, method, headers, body }, options = {}) {
      const signal = options.abortSignal as AbortSignal | undefined;
      if (signal?.aborted) throw aborted();
      const { request, agent } = protocol === 'https:' ? secure : plain;
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      const outgoing = request({ host, port: port ?? null, path, method, headers, agent });
      boundConnecting(outgoing, times.connectMilliseconds);
      const stopped = Promise.withResolvers<never>();
      // A request that waits for a connection emits no error when it is destroyed.
      const stop = (error: Error) => {
        outgoing.destroy(error);
        stopped.reject(error);
      };
      const abort = () => stop(aborted());
      let timer = setTimeout(() => stop(timeout('no connection free')), times.waitMilliseconds);
      outgoing.once('socket', () => {
        clearTimeout(timer);
        const milliseconds = options.requestTimeout || times.answerMilliseconds;
        timer = setTimeout(() => stop(timeout('no answer')), milliseconds);
      });
      signal?.addEventListener('abort', abort);
      try {
        return { response: await Promise.race([exchange(outgoing, body), stopped.promise]) };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}

function exchange(outgoing: ClientRequest, body: string | Uint8Array): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => void pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { statusCode = 0, headers } = incoming;
        // No header that the SDK reads occurs twice, so no value is a list.
        resolve({ statusCode, headers: headers as Record<string, string>, body: Buffer.concat(pieces) });
      });
    });
    outgoing.end(body);
  });
}

function boundConnecting(outgoing: ClientRequest, milliseconds: number): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => outgoing.destroy(timeout('no connection')), milliseconds);
    const stop = () => clearTimeout(timer);
    socket.once('connect', stop);
    outgoing.once('close', stop);
  });
}

/** The SDK retries errors of this name. */
const timeout = (message: string): Error => Object.assign(new Error(message), { name: 'TimeoutError' });

/** The SDK does not retry errors of this name. */
const aborted = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });
