import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Budget, type FetchLimits, startBudget } from './budget.ts';
import { decodeBody } from './decoding.ts';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { sendHop } from './hop.ts';
import { readTarget, type Target } from './target.ts';

export interface FetchInput {
  url: string;
  method?: 'GET' | 'HEAD';
  accept?: string;
  limits?: Partial<FetchLimits>;
  signal?: AbortSignal;
}

/** An answer with a 2xx status. Its body must be read once or discarded; the total time limit runs until then. */
export interface FetchedResponse {
  status: number;
  finalUrl: string;
  contentType: string | undefined;
  headers: IncomingHttpHeaders;
  /** The decompressed body. It throws `FetchError`. The connection is closed however the reading ends. */
  body: AsyncIterable<Uint8Array>;
  discard(): void;
}

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The one way to fetch a URL that a caller or a model gave. Each hop reaches only public addresses and `allowedHosts`,
 * through no proxy, and without cookies, credentials or headers of the hop before. Throws only `FetchError`; a status
 * outside 2xx is `bad_status`.
 */
export async function guardedFetch(deps: WebDeps, input: FetchInput): Promise<FetchedResponse> {
  const budget = startBudget(input.limits, input.signal);
  try {
    const { target, response } = await follow(deps, input, budget);
    return openResponse(deps, target, response, { method: input.method ?? 'GET', budget });
  } catch (error) {
    budget[Symbol.dispose]();
    throw budget.explain(error);
  }
}

async function follow(
  deps: WebDeps,
  input: FetchInput,
  budget: Budget,
): Promise<{ target: Target; response: IncomingMessage }> {
  const hop = { method: input.method ?? 'GET', accept: input.accept ?? '*/*' };
  let target = readTarget(deps.allowedHosts, input.url);
  for (let redirects = 0; redirects <= budget.limits.maxRedirects; redirects++) {
    deps.meter?.enter(target.url.hostname);
    const response = await sendHop(deps.lookup, target, hop, budget);
    const { location } = response.headers;
    if (!redirectStatuses.has(response.statusCode ?? 0) || location === undefined)
      return { target, response };
    response.destroy();
    target = readTarget(deps.allowedHosts, readLocation(location), target.url);
  }
  throw new FetchError('too_many_redirects');
}

/** Node decodes headers as latin1. Servers that do not escape a location send it as UTF-8. */
function readLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : location;
}

function openResponse(
  { meter }: WebDeps,
  target: Target,
  response: IncomingMessage,
  { method, budget }: { method: 'GET' | 'HEAD'; budget: Budget },
): FetchedResponse {
  const status = response.statusCode ?? 0;
  const { headers } = response;
  try {
    if (status < 200 || status > 299) throw FetchError.forStatus(status);
    const stream = method === 'GET' ? decodeBody(response, budget.limits.maxBytes, meter) : response;
    addAbortSignal(budget.signal, stream);
    return {
      status,
      finalUrl: target.url.href,
      contentType: headers['content-type'],
      headers,
      body: readBody(stream, budget, method === 'GET' ? Number(headers['content-length'] ?? 0) : 0),
      discard() {
        stream.destroy();
        budget[Symbol.dispose]();
      },
    };
  } catch (error) {
    response.destroy();
    throw error;
  }
}

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
