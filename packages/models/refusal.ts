import type { IncomingMessage } from 'node:http';
import { systemClock } from '@errand/platform';
import type { ModelUpstream } from './catalogue.ts';
import { readBytes } from './read-bytes.ts';
import { failureOf, UpstreamError } from './upstream-error.ts';

const refusalBytes = 64 * 1024;
const refusalMilliseconds = 5_000;
const longestRetryAfterSeconds = 60;

/** An upstream may put anything into its errors, keys and addresses too, so only identifiers are passed on. */
const identifier = /^[A-Za-z0-9_.$[\]-]{1,128}$/;

/** Reads an error answer: its status, `code`, `param` and `Retry-After`. Its text is dropped. */
export async function readRefusal(
  response: IncomingMessage,
  upstream: ModelUpstream,
  { signal, watchFor }: { signal?: AbortSignal; watchFor?: string } = {},
): Promise<UpstreamError> {
  const status = response.statusCode ?? 0;
  const retryAfterSeconds = readRetryAfter(response.headers['retry-after'], response.headers.date);
  const bytes = await readBytes(response, {
    limitBytes: refusalBytes,
    timeoutMilliseconds: refusalMilliseconds,
    ...(signal && { signal }),
  }).catch(() => Buffer.alloc(0));
  signal?.throwIfAborted();
  return new UpstreamError(failureOf(status), {
    status,
    ...readCode(bytes, upstream.apiKey),
    mentioned: watchFor !== undefined && bytes.includes(watchFor),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function readCode(bytes: Buffer, secret?: string): { code: string | null; param: string | null } {
  const word = (value: unknown): string | null =>
    typeof value === 'string' && identifier.test(value) && !(secret && value.includes(secret)) ? value : null;
  try {
    const body = JSON.parse(bytes.toString('utf8')) as { error?: unknown };
    const error = (typeof body.error === 'object' && body.error !== null ? body.error : body) as {
      code?: unknown;
      param?: unknown;
    };
    return { code: word(error.code), param: word(error.param) };
  } catch {
    return { code: null, param: null };
  }
}

/**
 * The seconds to wait, at most 60. A date counts from the answer's own `Date` header if there is one, because the two
 * clocks may differ.
 */
export function readRetryAfter(
  value: string | undefined,
  answeredAt: string | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(value)
    ? Number(value)
    : (Date.parse(value) - (answeredAt === undefined ? systemClock() : Date.parse(answeredAt))) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(longestRetryAfterSeconds, Math.max(0, Math.ceil(seconds)));
}
