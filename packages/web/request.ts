import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type Budget, type FetchLimits, startBudget } from './budget.ts';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { type HopRequest, sendHop } from './hop.ts';
import { readSecureTarget, readTarget, type Target } from './target.ts';

interface GuardedRequest extends HopRequest {
  url: string;
  limits?: Partial<FetchLimits>;
  signal?: AbortSignal;
  /** The request carries what is for this host alone: it goes by https, and a redirect is its answer. */
  isForOneHost: boolean;
}

/** The head of an answer. Its receiver must read or destroy the body, and end the budget. */
export interface Answer {
  /** The target of the last redirect. */
  target: Target;
  response: IncomingMessage;
  status: number;
  budget: Budget;
}

/**
 * The one way to ask a URL that a caller or a model gave; `guardedFetch`, `guardedExchange` and `guardedPost` read its
 * answer. Each hop reaches only public addresses and `allowedHosts`, through no proxy, and without cookies, credentials or
 * headers of the hop before. Throws only `FetchError`; if `read` throws, the connection is closed.
 */
export async function guardedRequest<Result>(
  deps: WebDeps,
  request: GuardedRequest,
  read: (answer: Answer) => Result | Promise<Result>,
): Promise<Result> {
  const budget = startBudget(request.limits, request.signal);
  try {
    const { target, response } = await follow(deps, request, budget);
    try {
      return await read({ target, response, status: response.statusCode ?? 0, budget });
    } catch (error) {
      response.destroy();
      throw error;
    }
  } catch (error) {
    budget[Symbol.dispose]();
    throw budget.explain(error);
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const isRedirect = (status: number): boolean => redirectStatuses.has(status);

async function follow(
  deps: WebDeps,
  request: GuardedRequest,
  budget: Budget,
): Promise<Pick<Answer, 'target' | 'response'>> {
  const { allowedHosts } = deps;
  let target = (request.isForOneHost ? readSecureTarget : readTarget)(allowedHosts, request.url);
  for (let redirects = 0; redirects <= budget.limits.maxRedirects; redirects++) {
    deps.meter?.enter(target.url.hostname);
    const response = await sendHop(deps.lookup, target, request, budget);
    const { location } = response.headers;
    if (request.isForOneHost || !isRedirect(response.statusCode ?? 0) || location === undefined)
      return { target, response };
    response.destroy();
    target = readTarget(allowedHosts, readLocation(location), target.url);
  }
  throw new FetchError('too_many_redirects');
}

/** Node decodes headers as latin1. Servers that do not escape a location send it as UTF-8. */
function readLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : location;
}

/** The chunks of a body. The budget ends with the reading, however that ends. */
export async function* readBody(
  stream: Readable,
  budget: Budget,
  declaredBytes: number,
): AsyncGenerator<Uint8Array> {
  using _ = budget;
  try {
    if (declaredBytes > budget.limits.maxBytes) stream.destroy(new FetchError('too_large'));
    for await (const chunk of stream) {
      // The reader may wait for memory. That wait does not count against the host.
      const resume = budget.pause();
      yield chunk;
      resume();
    }
  } catch (error) {
    throw budget.explain(error);
  }
}
