import type { IncomingMessage } from 'node:http';
import { systemClock } from '@errand/platform';
import { readBytes } from '../read-bytes.ts';
import { failureOf, UpstreamError } from '../upstream-error.ts';
import { type FoundWords, findWords } from './find-words.ts';

/** Servers that validate with pydantic send back the whole request. */
export const refusalBytes = 256 * 1024;
const refusalMilliseconds = 5_000;
const longestRetryAfterSeconds = 60;

/** Reads an error answer. What it says stays as it came until `settleRefusal` has cleaned it. */
export async function readRefusal(
  response: IncomingMessage,
  { signal, watchFor }: { signal?: AbortSignal; watchFor?: string } = {},
): Promise<UpstreamError> {
  const status = response.statusCode ?? 0;
  const retryAfterSeconds = readRetryAfter(response.headers['retry-after'], response.headers.date);
  const bytes = await readBytes(response, {
    limitBytes: refusalBytes,
    timeoutMilliseconds: refusalMilliseconds,
    signal,
  }).catch(() => Buffer.alloc(0));
  signal?.throwIfAborted();
  const raw = findWords(bytes.toString('utf8'));
  const failure = failureOf(status);
  return new UpstreamError(
    failure === 'refused' && (lacksModel(raw) || lacksMoney(raw)) ? 'misconfigured' : failure,
    {
      status,
      raw,
      mentioned: watchFor !== undefined && bytes.includes(watchFor),
      retryAfterSeconds,
    },
  );
}

/** Whether the upstream does not have the model: the catalogue names it, and callers cannot. Mistral says so in `type`. */
const lacksModel = ({ code, type, param = 'model' }: FoundWords): boolean =>
  param === 'model' && (code === 'model_not_found' || type === 'invalid_model');

/** Whether the operator's account is empty, which Anthropic says with a 400 of its ordinary type. */
const lacksMoney = ({ text = '' }: FoundWords): boolean => text.startsWith('Your credit balance is too low');

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
