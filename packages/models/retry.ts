import { startTimer, wait } from '@errand/platform';
import pRetry from 'p-retry';
import type { ModelUpstream } from './catalogue.ts';
import { type Outcome, orderUpstreams, type Turn, type Upstreams } from './circuit.ts';
import type { UpstreamDeps } from './deps.ts';
import { logFailure, type UpstreamFailed } from './log-failure.ts';
import { settleRefusal } from './refusal/settle-refusal.ts';
import { hasStalled, isPassing, UpstreamError } from './upstream-error.ts';

const baseWaitMilliseconds = 500;
const longestWaitMilliseconds = 20_000;

/** The wait that the upstream asked for plus up to 0.5 s, else exponential. The random part spreads callers out. */
function backoffMilliseconds(error: UpstreamError, attempt: number, random = Math.random): number {
  const backoff = Math.min(longestWaitMilliseconds, baseWaitMilliseconds * 2 ** (attempt - 1));
  const jittered = backoff / 2 + random() * (backoff / 2);
  return error.retryAfterSeconds === undefined
    ? Math.round(jittered)
    : error.retryAfterSeconds * 1000 + Math.round(random() * baseWaitMilliseconds);
}

export interface RetryOptions {
  attempts: number;
  signal?: AbortSignal;
  /** The longest wait between attempts. If the next wait would be longer, the retries end and the caller may wait instead. */
  longestWaitMilliseconds?: number;
  /** The failures that are retried. Passing ones if absent. */
  mayRetry?(error: unknown): error is UpstreamError;
}

/**
 * Repeats an attempt that failed in a way that passes, after a wait. An upstream that took a request twice in a row without
 * an answer is not retried.
 */
export function retryUpstream<T>(
  deps: UpstreamDeps,
  options: RetryOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const { attempts, signal, mayRetry = isPassing } = options;
  const { longestWaitMilliseconds = Number.POSITIVE_INFINITY } = options;
  let stalled = false;
  return pRetry(attempt, {
    retries: attempts - 1,
    minTimeout: 0,
    signal,
    shouldRetry: async ({ error, attemptNumber }) => {
      const stalledBefore = stalled;
      stalled = hasStalled(error);
      if (!mayRetry(error) || (stalled && stalledBefore)) return false;
      const milliseconds = backoffMilliseconds(error, attemptNumber);
      if (milliseconds > longestWaitMilliseconds) return false;
      await wait(deps, milliseconds, signal);
      return true;
    },
  });
}

/**
 * Attempts the model's upstreams in turn (`orderUpstreams`), until one succeeds or refuses. Throws the last upstream's error
 * if all fail. Logs each failure.
 */
export async function tryUpstreams<T>(
  deps: UpstreamDeps,
  model: Upstreams,
  attempt: (upstream: ModelUpstream, trial: Trial) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let failed: Failed | undefined;
  let leftOutOnly = false;
  for (const turn of orderUpstreams(deps, model)) {
    const { upstream, end } = turn;
    if (leftOutOnly && !turn.isLeftOut) {
      end('unknown');
      continue;
    }
    if (failed) note(deps, failed, 'upstream failed, trying the next');
    turn.start();
    const { stop, ...trial } = boundFirstByte(deps, model, turn, signal);
    try {
      const result = await attempt(upstream, trial);
      end('answered');
      return result;
    } catch (thrown) {
      // The reason of a signal that aborted is the same for all upstreams, and says nothing of those that were not asked.
      const error = thrown === failed?.thrown ? failed?.error : settleRefusal(deps, model, upstream, thrown);
      const isAsked = error instanceof UpstreamError && error !== failed?.error;
      end(isAsked ? outcomeOf(error) : 'unknown');
      if (!isAsked) throw error;
      leftOutOnly = !mayAskNext(error, turn);
      if (leftOutOnly && !mayAskLeftOut(error, turn, model)) throw error;
      failed = { model, upstream, thrown, error };
    } finally {
      stop();
    }
  }
  if (failed) note(deps, failed, 'upstream failed');
  throw failed?.error;
}

/** An attempt, as the request for it is told. */
export interface Trial {
  /** Whether another attempt may follow. */
  hasNext: boolean;
  /** Aborted with the caller's signal, or with `timeout` when it is time to ask the next upstream. */
  signal: AbortSignal;
  /** To be called when a part of the answer has come. */
  heard(): void;
}

/** Gives an attempt `firstByteSeconds` for the first part of its answer, if another upstream can be asked then. */
function boundFirstByte(
  deps: UpstreamDeps,
  { firstByteSeconds }: Upstreams,
  { hasNext, heard }: Turn,
  signal = new AbortController().signal,
): Trial & { stop(): void } {
  if (!hasNext || firstByteSeconds === undefined) return { hasNext, signal, heard, stop() {} };
  const late = new AbortController();
  const stop = startTimer(deps, firstByteSeconds * 1000, () => late.abort(new UpstreamError('timeout')));
  return {
    hasNext,
    signal: AbortSignal.any([signal, late.signal]),
    heard() {
      stop();
      heard();
    },
    stop,
  };
}

interface Failed extends UpstreamFailed {
  /** As the attempt threw it. */
  thrown: unknown;
}

function note(deps: UpstreamDeps, failed: Failed, message: string): void {
  if (failed.error.kind !== 'misconfigured') logFailure(deps, failed, message);
}

const outcomeOf = ({ kind }: UpstreamError): Outcome =>
  kind === 'refused' ? 'answered' : kind === 'misconfigured' ? 'misconfigured' : 'failed';

/**
 * An upstream in trouble may send a page of HTML in place of an answer. One that refuses our key is the operator's fault, which
 * no fallback may hide; but if it failed before, the next one is known to answer.
 */
const mayAskNext = ({ kind }: UpstreamError, { isProbe }: Turn): boolean =>
  kind === 'misconfigured' ? isProbe : kind !== 'refused';

/** A fallback that refuses our key hides nothing of an upstream before it that was left out: that one has its turn. */
const mayAskLeftOut = ({ kind }: UpstreamError, turn: Turn, model: Upstreams): boolean =>
  kind === 'misconfigured' && turn.hasLeftOut && turn.upstream !== model.upstream;
