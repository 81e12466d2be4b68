import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A request to a server of this process, with the answer as it was sent. */
export interface Exchange {
  method: string;
  url: string;
  requestType: string | undefined;
  /** Undefined if it was too long to keep, or not all of it came. */
  requestBody: Buffer | undefined;
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Whether all of the answer was sent. */
  complete: boolean;
}

/** Bodies that are longer are passed over. */
const keptBytes = 8_000_000;

interface Started {
  request: IncomingMessage;
  response: ServerResponse;
}

const channel = 'http.server.request.start';

/** Tells of every exchange of every HTTP server in this process, until it is stopped. It changes nothing of what is sent. */
export function watchAnswers(onExchange: (exchange: Exchange) => void): () => void {
  const watch = (message: unknown) => {
    const { request, response } = message as Started;
    const sent = keep();
    const answered = keep();
    const headers: Record<string, string> = {};
    wrap(request, 'push', ([chunk]) => sent.add(chunk));
    wrap(response, 'write', ([chunk]) => answered.add(chunk));
    wrap(response, 'end', ([chunk]) => answered.add(chunk));
    wrap(response, 'writeHead', (given) => Object.assign(headers, lowerCased(given.at(-1))));
    response.once('close', () =>
      onExchange({
        method: request.method ?? '',
        url: request.url ?? '',
        requestType: request.headers['content-type'],
        requestBody: request.complete ? sent.body() : undefined,
        status: response.statusCode,
        headers: { ...lowerCased(response.getHeaders()), ...headers },
        body: answered.body(),
        complete: response.writableFinished,
      }),
    );
  };
  subscribe(channel, watch);
  return () => void unsubscribe(channel, watch);
}

function keep() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk: unknown): void {
      if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
      bytes += chunk.length;
      if (bytes <= keptBytes) chunks.push(Buffer.from(chunk as string));
    },
    body: () => (bytes > keptBytes ? undefined : Buffer.concat(chunks)),
  };
}

/** Looks at the arguments of each call of a method. */
function wrap<K extends string>(
  target: { [N in K]: (...given: never[]) => unknown },
  name: K,
  look: (given: unknown[]) => void,
): void {
  const original = target[name] as (...given: unknown[]) => unknown;
  target[name] = ((...given: unknown[]) => {
    look(given);
    return original.apply(target, given);
  }) as (typeof target)[K];
}

const lowerCased = (headers: unknown): Record<string, string> =>
  typeof headers === 'object' && headers !== null
    ? Object.fromEntries(
        Object.entries(headers as OutgoingHttpHeaders).map(([name, value]) => [
          name.toLowerCase(),
          String(value),
        ]),
      )
    : {};
