import type { IncomingMessage } from 'node:http';
import { systemClock } from '@errand/platform';
import { readBytes } from '../read-bytes.ts';
import { failureOf, UpstreamError } from '../upstream-error.ts';
import { type FoundWords, findWords } from './find-words.ts';
import { knownCode } from './known-codes.ts';

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
    failure === 'refused' && (lacksModel(raw) || isAccountClosed(raw)) ? 'misconfigured' : failure,
    {
      status,
      raw,
      mentioned: watchFor !== undefined && bytes.includes(watchFor),
      retryAfterSeconds,
    },
  );
}

/** The failure of a stream in which the upstream says that it goes no further, or sends what cannot be read. */
export function brokenByEvent(data: string): UpstreamError {
  const code = data.length > refusalBytes ? undefined : knownCode(findWords(data));
  return new UpstreamError('broken', code === undefined ? {} : { knownCode: code });
}

/** Whether the upstream does not have the model: the catalogue names it, and callers cannot. Mistral says so in `type`. */
const lacksModel = ({ code, type, param = 'model' }: FoundWords): boolean =>
  param === 'model' && (code === 'model_not_found' || type === 'invalid_model');

/** How Anthropic begins a 400 of its ordinary type that is about the operator's account. */
const accountWords = [
  'Your credit balance is too low',
  'You have reached your specified API usage limits',
  'This organization has been disabled',
];

const isAccountClosed = ({ text = '' }: FoundWords): boolean =>
  accountWords.some((words) => text.startsWith(words));

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
