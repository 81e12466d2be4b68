import { addAbortSignal } from 'node:stream';
import { startBudget } from './budget.ts';
import { decodeBody } from './decoding.ts';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { readBody, redirectStatuses } from './fetch.ts';
import { sendHop } from './hop.ts';
import { readSecureTarget } from './target.ts';

export interface ExchangeInput {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** In lower case. */
  headers: Record<string, string>;
  body?: string;
  /** From the call to the last byte of the answer, without the time that the reader takes. */
  totalMilliseconds: number;
  /** An answer that is longer fails. */
  answerBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request to a URL that a caller gave, and resolves with the answer of any status, whose body comes as it is read.
 * It reaches only public addresses by https, and `allowedHosts`. A redirect fails: what the request carries is for this
 * host alone. Throws only `FetchError`, and so does the body.
 */
export async function guardedExchange(deps: WebDeps, input: ExchangeInput): Promise<Response> {
  const { totalMilliseconds, answerBytes, method, headers, body, signal } = input;
  const limits = { totalMilliseconds, firstByteMilliseconds: totalMilliseconds, maxBytes: answerBytes };
  const budget = startBudget(limits, signal);
  try {
    const target = readSecureTarget(deps.allowedHosts, input.url);
    const hop = { method, accept: '*/*', headers, ...(body !== undefined && { body }) };
    const answer = await sendHop(deps.lookup, target, hop, budget);
    const status = answer.statusCode ?? 0;
    const stop = (error: FetchError) => {
      answer.destroy();
      throw error;
    };
    if (redirectStatuses.has(status))
      stop(new FetchError('too_many_redirects', { reason: 'it redirects, and redirects are not followed' }));
    if (status < 200) stop(FetchError.forStatus(status));
    const shown = new Headers();
    for (const name of ['content-type', 'mcp-session-id', 'www-authenticate', 'retry-after']) {
      const value = answer.headers[name];
      if (typeof value === 'string') shown.set(name, value);
    }
    if ([204, 205, 304].includes(status)) {
      answer.destroy();
      budget[Symbol.dispose]();
      return new Response(null, { status, headers: shown });
    }
    const stream = addAbortSignal(budget.signal, decodeBody(answer, answerBytes, deps.meter));
    const declared = Number(answer.headers['content-length'] ?? 0);
    return new Response(ReadableStream.from(readBody(stream, budget, declared)), { status, headers: shown });
  } catch (error) {
    budget[Symbol.dispose]();
    throw budget.explain(error);
  }
}
