import type { IncomingHttpHeaders } from 'node:http';
import { addAbortSignal } from 'node:stream';
import type { FetchLimits } from './budget.ts';
import { decodeBody } from './decoding.ts';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { guardedRequest, readBody } from './request.ts';

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

/** Fetches a URL, and follows redirects. Throws only `FetchError`; a status outside 2xx is `bad_status`. */
export function guardedFetch(
  deps: WebDeps,
  { method = 'GET', ...input }: FetchInput,
): Promise<FetchedResponse> {
  const request = { ...input, method, accept: input.accept ?? '*/*', isForOneHost: false };
  return guardedRequest(deps, request, ({ target, response, status, budget }) => {
    if (status < 200 || status > 299) throw FetchError.forStatus(status);
    const { headers } = response;
    const isRead = method === 'GET';
    const stream = isRead ? decodeBody(response, budget.limits.maxBytes, deps.meter) : response;
    addAbortSignal(budget.signal, stream);
    return {
      status,
      finalUrl: target.url.href,
      contentType: headers['content-type'],
      headers,
      body: readBody(stream, budget, isRead ? Number(headers['content-length'] ?? 0) : 0),
      discard() {
        stream.destroy();
        budget[Symbol.dispose]();
      },
    };
  });
}
