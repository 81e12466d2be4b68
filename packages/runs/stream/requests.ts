import { createSemaphore, describeError, type LogFields, limits, perConnection } from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import type { RunRecord } from '../run.ts';

const semaphoreOf = perConnection(() => createSemaphore(limits.streamRequestsAtOnce));

/**
 * Makes a request of a stream to the store when it is its turn. The streams of a process make few requests at once, so
 * that other requests never wait behind those of a thousand readers. Accounts take turns.
 */
export async function inTurn<T>(
  deps: RunsDeps,
  { payer }: Pick<RunRecord, 'payer'>,
  request: () => Promise<T>,
): Promise<T> {
  const release = await semaphoreOf(deps).take({ owner: payer.accountId });
  try {
    return await request();
  } finally {
    release();
  }
}

const warnMilliseconds = 10_000;

interface Warned {
  at: number;
  /** Failures since the last line. */
  leftOut: number;
}

const warnedOf = perConnection(() => new Map<string, Warned>());

/** Warns of a failure that every stream may have at the same time: with one line in 10 s, which counts the others. */
export function warnRarely(deps: RunsDeps, message: string, error: unknown, fields: LogFields = {}): void {
  const warned = warnedOf(deps);
  const { at, leftOut } = warned.get(message) ?? { at: Number.NEGATIVE_INFINITY, leftOut: 0 };
  const now = performance.now();
  if (now - at < warnMilliseconds) {
    warned.set(message, { at, leftOut: leftOut + 1 });
    return;
  }
  warned.set(message, { at: now, leftOut: 0 });
  deps.log.warn(message, { ...fields, ...describeError(error), ...(leftOut > 0 && { leftOut }) });
}
