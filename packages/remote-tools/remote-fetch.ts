import { setImmediate } from 'node:timers/promises';
import { limits } from '@errand/platform';
import { FetchError, guardedExchange, mediaTypeOf, type WebDeps } from '@errand/web';
import { authorizationHeader, type RemoteServer } from './server.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** The question whether a server has the newest version of the protocol. */
export interface Probe {
  /** The time for the answer. Without one the server is taken for an older one. */
  milliseconds: number;
  isUnanswered: boolean;
}

/** The `fetch` of the library's transport: all it sends goes through the guarded door, to this server alone. */
export function remoteFetch(
  web: WebDeps,
  { url, authorization, traceparent }: RemoteServer,
  onBroken: (error: FetchError) => void,
  asked: Probe,
) {
  const own: Record<string, string> = {
    ...(authorization !== undefined && { authorization: authorizationHeader(authorization) }),
    ...(traceparent !== undefined && { traceparent }),
  };
  let waiting = 0;
  const isLate = (error: unknown): boolean => {
    if (!isTooSlow(error)) return false;
    asked.isUnanswered = true;
    return true;
  };
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = (init.method ?? 'GET') as Method;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own };
    if (String(address) !== new URL(url).href) throw new FetchError('invalid_url');
    // A stream of what happens beside the calls, which nobody here would read.
    if (method === 'GET' && !('last-event-id' in headers)) return new Response(null, { status: 405 });
    const request = method === 'POST' ? requestOf(init.body) : undefined;
    const isProbe = request?.method === probe;
    const totalMilliseconds = isProbe
      ? asked.milliseconds
      : method === 'DELETE'
        ? limits.remoteGoodbyeMilliseconds
        : limits.toolMilliseconds;
    // A server may ask back thousands of times in one answer, and the library answers each.
    if (waiting >= limits.remoteRequestsAtOnce) throw new FetchError('over_budget');
    waiting++;
    const asking = guardedExchange(web, {
      url,
      method,
      headers,
      ...(typeof init.body === 'string' && { body: init.body }),
      totalMilliseconds,
      answerBytes: limits.remoteAnswerBytes,
      signal: init.signal ?? undefined,
      onBroken: isProbe ? (error) => isLate(error) || onBroken(error) : onBroken,
    }).finally(() => {
      waiting--;
    });
    if (isProbe)
      return asking
        .then((answer) => readable(answer, request))
        .catch((error: unknown) => {
          if (!isLate(error)) throw error;
          return unknownRequest();
        });
    const answer = await asking;
    if (method !== 'POST') return method === 'GET' ? readable(answer) : answer;
    if (request) return readable(answer, request);
    // What is said to a notification, or to an answer of ours, is read by nobody.
    await answer.body?.cancel();
    return new Response(null, { status: answer.status });
  };
}

interface Request {
  id: unknown;
  method: unknown;
}

/** Undefined for a notification and an answer. */
function requestOf(body: RequestInit['body']): Request | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message
    ? message
    : undefined;
}

/** By its answer the library knows whether the server has the protocol's newer version. Older servers may take it, and say nothing. */
const probe = 'server/discover';

const isTooSlow = (error: unknown): boolean => error instanceof FetchError && error.code === 'timeout';

/** What the library reads as a server that does not know the request. */
const unknownRequest = () => new Response(null, { status: 404 });

/** An answer as the library can read it without waiting for what cannot come, and without holding up other work. */
async function readable(answer: Response, request?: Request): Promise<Response> {
  const { body, status, headers } = answer;
  const isProbe = request?.method === probe;
  if (status === 202) {
    await body?.cancel();
    if (isProbe) return unknownRequest();
    throw new Error('the server took the request and does not answer it');
  }
  if (!answer.ok || !body) return answer;
  const type = mediaTypeOf(headers.get('content-type') ?? undefined);
  if (type === 'application/json') return new Response(onlyAnswer(await answer.text()), { status, headers });
  if (type !== 'text/event-stream') return answer;
  const read = isProbe ? endedWhenSlow(body) : body;
  return new Response(read.pipeThrough(inTurns(isProbe ? unanswered(request) : '')), { status, headers });
}

/** The library would read thousands of messages in one turn, and answer those that ask something. A request has one answer. */
function onlyAnswer(json: string): string {
  if (!json.trimStart().startsWith('[')) return json;
  const messages = JSON.parse(json) as unknown[];
  const answer = messages.find(
    (message) =>
      typeof message === 'object' && message !== null && ('result' in message || 'error' in message),
  );
  if (!answer) throw new Error('the server does not answer the request');
  return JSON.stringify(answer);
}

/** The end of a stream for a request that the server does not know. It changes nothing if there was an answer before. */
const unanswered = ({ id }: Request): string =>
  `\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'No answer.' } })}\n\n`;

/** The stream, which ends where it would fail because its time is over. */
const endedWhenSlow = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  ReadableStream.from(
    (async function* () {
      try {
        yield* body;
      } catch (error) {
        if (!isTooSlow(error)) throw error;
      }
    })(),
  );

/** The library reads and answers each message in about 0.2 ms, and the shortest has 50 bytes. */
const bytesInTurn = 2_048;

/** Gives other work its turn between the pieces of a stream. */
const inTurns = (end: string) =>
  new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      for (let start = 0; start < chunk.length; start += bytesInTurn) {
        controller.enqueue(chunk.subarray(start, start + bytesInTurn));
        await setImmediate();
      }
    },
    flush(controller) {
      if (end !== '') controller.enqueue(Buffer.from(end));
    },
  });
