import { ConnectionError, ErrandError, RateLimitError, UnavailableError } from '../errors.ts';
import type { Connection } from './connection.ts';

const longestPauseMilliseconds = 30_000;

/** Twice as long after each failure, and spread, so that many readers do not come back at the same moment. */
export const growingPause = (failures: number, firstMilliseconds = 1000): number =>
  Math.min(longestPauseMilliseconds, firstMilliseconds * 2 ** failures) * (0.5 + Math.random() / 2);

/** True if the same request may succeed later. */
export const isPassing = (error: unknown): error is ErrandError =>
  error instanceof ConnectionError || error instanceof UnavailableError || error instanceof RateLimitError;

/** Whether it is worth waiting for within a call: no answer, or the service asks to come back within half a minute. */
const isBrief = (error: unknown): error is ErrandError =>
  error instanceof ConnectionError ||
  (error instanceof ErrandError &&
    error.retryAfterMilliseconds !== undefined &&
    error.retryAfterMilliseconds <= longestPauseMilliseconds);

const tries = 4;

/** A failure after which the request is retried. */
export interface Retry {
  error: ErrandError;
  pauseMilliseconds: number;
}

interface RetryOptions {
  signal?: AbortSignal | undefined;
  /** Called before each pause. */
  onRetry?: ((retry: Retry) => void) | undefined;
}

/** Runs work that can be done twice without harm, with retries while a retry may soon succeed. */
export async function withRetries<T>(
  connection: Connection,
  work: () => Promise<T>,
  { signal, onRetry }: RetryOptions = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || failures + 1 >= tries || !isBrief(error)) throw error;
      const pauseMilliseconds = error.retryAfterMilliseconds ?? growingPause(failures);
      onRetry?.({ error, pauseMilliseconds });
      await connection.wait(pauseMilliseconds, signal);
    }
  }
}
