import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { refuseUpgrade } from '@errand/platform';
import type { Budget } from './budget.ts';
import { guardLookup } from './lookup.ts';
import type { Target } from './target.ts';

export interface HopRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  accept: string;
  /** Headers beside those of every request, in lower case. */
  headers?: Record<string, string>;
  body?: string;
}

const userAgent = 'Mozilla/5.0 (compatible; Errand/0.1)';

/**
 * Sends one request, without following redirects, and resolves with the head of the answer. Each hop has a new
 * connection and a new agent: a kept connection would be reused without a check of its address, and Node's global
 * agents may use a proxy from the environment, which would resolve names itself.
 */
export function sendHop(
  lookup: LookupFunction | undefined,
  target: Target,
  input: HopRequest,
  budget: Budget,
): Promise<IncomingMessage> {
  const isSecure = target.url.protocol === 'https:';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  budget.enter('connect');
  const request = (isSecure ? httpsRequest : httpRequest)(target.url, {
    method: input.method,
    agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: guardLookup(lookup, target.isAllowedByName),
    signal: budget.signal,
    headers: {
      accept: input.accept,
      'accept-encoding': 'gzip, deflate, br, zstd',
      'user-agent': userAgent,
      ...input.headers,
    },
  });
  request.on('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => budget.enter('firstByte'));
  });
  request.on('response', (response) => {
    budget.enter('body');
    // The body may fail before anyone reads it. Without a listener, that error would end the process. The reader still
    // gets the error.
    response.on('error', () => {});
    resolve(response);
  });
  request.on('error', (error) => reject(budget.explain(error)));
  refuseUpgrade(request);
  request.end(input.body);
  return promise;
}
