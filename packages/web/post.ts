import type { IncomingMessage } from 'node:http';
import { startBudget } from './budget.ts';
import type { WebDeps } from './deps.ts';
import { sendHop } from './hop.ts';
import { readSecureTarget } from './target.ts';

export interface PostInput {
  url: string;
  /** All headers, in lower case, with the content type. */
  headers: Record<string, string>;
  body: string;
  /** The time limit, from the call until enough of the answer is read. */
  totalMilliseconds: number;
  /** The bytes of the answer that are read at most. */
  answerBytes: number;
  signal?: AbortSignal | undefined;
}

export interface Posted {
  status: number;
  /** The beginning of the answer, as far as it came in time. */
  body: Buffer;
}

/**
 * Sends a body to a URL that a caller gave. It reaches only public addresses by https, and `allowedHosts`, and follows no
 * redirect: one is an answer like any other. Throws only `FetchError`.
 */
export async function guardedPost(deps: WebDeps, input: PostInput): Promise<Posted> {
  const { totalMilliseconds, headers, body, signal } = input;
  const budget = startBudget({ totalMilliseconds, firstByteMilliseconds: totalMilliseconds }, signal);
  try {
    const target = readSecureTarget(deps.allowedHosts, input.url);
    const hop = { method: 'POST', accept: '*/*', body } as const;
    const sent = { 'accept-encoding': 'identity', ...headers };
    const response = await sendHop(deps.lookup, target, { ...hop, headers: sent }, budget);
    return { status: response.statusCode ?? 0, body: await readBeginning(response, input.answerBytes) };
  } catch (error) {
    throw budget.explain(error);
  } finally {
    budget[Symbol.dispose]();
  }
}

/** Throws `FetchError` for an address that `guardedPost` and `guardedExchange` would not send to, as far as that is known without a look-up. */
export const checkAddress = ({ allowedHosts }: Pick<WebDeps, 'allowedHosts'>, url: string): void => {
  readSecureTarget(allowedHosts, url);
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
