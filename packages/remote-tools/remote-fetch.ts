import { limits } from '@errand/platform';
import { FetchError, guardedExchange, type WebDeps } from '@errand/web';
import { authorizationHeader, type RemoteServer } from './server.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** The `fetch` of the library's transport: all it sends goes through the guarded door, to this server alone. */
export function remoteFetch(
  web: WebDeps,
  { url, authorization }: RemoteServer,
  onBroken: (error: FetchError) => void,
) {
  const own = authorization === undefined ? {} : { authorization: authorizationHeader(authorization) };
  let waiting = 0;
  return async (asked: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = (init.method ?? 'GET') as Method;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own };
    if (String(asked) !== new URL(url).href) throw new FetchError('invalid_url');
    // A stream of what happens beside the calls, which nobody here would read.
    if (method === 'GET' && !('last-event-id' in headers)) return new Response(null, { status: 405 });
    const totalMilliseconds =
      method === 'DELETE' ? limits.remoteGoodbyeMilliseconds : limits.toolMilliseconds;
    // A server may ask back thousands of times in one answer, and the library answers each.
    if (waiting >= limits.remoteRequestsAtOnce) throw new FetchError('over_budget');
    waiting++;
    const answer = await guardedExchange(web, {
      url,
      method,
      headers,
      ...(typeof init.body === 'string' && { body: init.body }),
      totalMilliseconds,
      answerBytes: limits.remoteAnswerBytes,
      signal: init.signal ?? undefined,
      onBroken,
    }).finally(() => {
      waiting--;
    });
    if (method !== 'POST' || isRequest(init.body)) return answer;
    // What is said to a notification, or to an answer of ours, is read by nobody.
    await answer.body?.cancel();
    return new Response(null, { status: answer.status });
  };
}

function isRequest(body: RequestInit['body']): boolean {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
}
