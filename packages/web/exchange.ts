import { addAbortSignal, type Readable } from 'node:stream';
import { decodeBody } from './decoding.ts';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { type Answer, guardedRequest, isRedirect, readBody } from './request.ts';

export interface ExchangeInput {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** In lower case. */
  headers: Record<string, string>;
  body?: string;
  /** The time limit, from the call to the last byte of the answer, without the time that the reader takes. */
  totalMilliseconds: number;
  /** The bytes of an answer at most. A longer answer fails. */
  answerBytes: number;
  signal?: AbortSignal;
  /** Called when the body fails, whether or not anybody reads it. */
  onBroken?(error: FetchError): void;
}

/**
 * Sends a request to a URL that a caller gave, and resolves with the answer of any status, whose body comes as it is read.
 * It reaches only public addresses by https, and `allowedHosts`. A redirect fails: what the request carries is for this
 * host alone. Throws only `FetchError`, and so does the body.
 */
export function guardedExchange(deps: WebDeps, input: ExchangeInput): Promise<Response> {
  const { url, method, headers, body, totalMilliseconds, answerBytes, signal } = input;
  const limits = { totalMilliseconds, firstByteMilliseconds: totalMilliseconds, maxBytes: answerBytes };
  const request = { url, method, headers, body, accept: '*/*', limits, signal, isForOneHost: true };
  return guardedRequest(deps, request, (answer) => openAnswer(deps, answer, input));
}

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);
const shownHeaders = ['content-type', 'mcp-session-id'];

function openAnswer(
  { meter }: WebDeps,
  { response, status, budget }: Answer,
  { answerBytes, onBroken }: ExchangeInput,
): Response {
  const { headers } = response;
  if (isRedirect(status))
    throw new FetchError('too_many_redirects', { reason: 'it redirects, and redirects are not followed' });
  const shown = shownHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const head = { status, headers: shown };
  if (withoutBody.has(status)) {
    response.destroy();
    budget[Symbol.dispose]();
    return new Response(null, head);
  }
  const stream = addAbortSignal(budget.signal, decodeBody(response, answerBytes, meter));
  const chunks = readBody(stream, budget, Number(headers['content-length'] ?? 0));
  return new Response(bodyOf(stream, chunks, onBroken), head);
}

/** A reader that leaves closes the connection at once. `ReadableStream.from` would wait for the next chunk first. */
function bodyOf(
  stream: Readable,
  chunks: AsyncGenerator<Uint8Array>,
  onBroken: ExchangeInput['onBroken'],
): ReadableStream<Uint8Array> {
  let isLeft = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (isLeft) return;
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (!isLeft) onBroken?.(error as FetchError);
        throw error;
      }
    },
    async cancel() {
      isLeft = true;
      stream.destroy();
      // If nothing was read yet, the end of the body ends the budget, too.
      await chunks.next().catch(() => {});
    },
  });
}
