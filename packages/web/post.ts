import type { IncomingMessage } from 'node:http';
import { hasControls } from '@errand/platform';
import type { WebDeps } from './deps.ts';
import { FetchError } from './failure.ts';
import { guardedRequest } from './request.ts';
import { readSecureTarget } from './target.ts';

interface PostInput {
  url: string;
  /** All headers, in lower case, with the content type. */
  headers: Record<string, string>;
  body: string;
  /** The time limit, from the call until enough of the answer is read. */
  totalMilliseconds: number;
  /** The bytes of the answer that are read at most. */
  answerBytes: number;
  signal?: AbortSignal;
}

interface Posted {
  status: number;
  /** The beginning of the answer, as far as it came in time. */
  body: Buffer;
}

/**
 * Sends a body to a URL that a caller gave. It reaches only public addresses by https, and `allowedHosts`, and follows no
 * redirect: one is an answer like any other. Throws only `FetchError`.
 */
export function guardedPost(deps: WebDeps, input: PostInput): Promise<Posted> {
  const { url, body, totalMilliseconds, answerBytes, signal } = input;
  const limits = { totalMilliseconds, firstByteMilliseconds: totalMilliseconds };
  const headers = { 'accept-encoding': 'identity', ...input.headers };
  const request = {
    url,
    method: 'POST',
    headers,
    body,
    accept: '*/*',
    limits,
    signal,
    isForOneHost: true,
  } as const;
  return guardedRequest(deps, request, async ({ response, status, budget }) => {
    using _ = budget;
    return { status, body: await readBeginning(response, answerBytes) };
  });
}

/** Throws `FetchError` for an address that cannot be shown as it is, or that `guardedPost` and `guardedExchange` would not send to, as far as that is known without a look-up. */
export const checkAddress = ({ allowedHosts }: Pick<WebDeps, 'allowedHosts'>, url: string): void => {
  readSecureTarget(allowedHosts, url);
  if (hasControls(url)) throw new FetchError('invalid_url', { reason: 'the URL has control characters' });
};

async function readBeginning(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= mostBytes) break;
    }
  } catch {
    // The status counts as the answer even if the body breaks off.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}
