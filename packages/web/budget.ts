import { limits, withChanges } from '@errand/platform';
import { FetchError } from './failure.ts';

export interface FetchLimits {
  /** The limit of the bytes over the wire, and of the bytes after decompression. */
  maxBytes: number;
  maxRedirects: number;
  /** For each hop: resolving the name, connecting and TLS. */
  connectMilliseconds: number;
  /** For each hop: from the connection to the head of the answer. */
  firstByteMilliseconds: number;
  /** From the call to the last byte, over all hops, without the time that the reader takes. */
  totalMilliseconds: number;
}

export const defaultFetchLimits: Readonly<FetchLimits> = {
  maxBytes: limits.fetchedDocumentBytes,
  maxRedirects: 5,
  connectMilliseconds: 10_000,
  firstByteMilliseconds: 20_000,
  totalMilliseconds: 60_000,
};

/** The time limits of one fetch. Its signal aborts with a `FetchError` when a limit has passed or the caller aborts. */
export interface Budget extends Disposable {
  limits: FetchLimits;
  signal: AbortSignal;
  /** Stops the timer of the previous phase and starts the timer of this one. */
  enter(phase: 'connect' | 'firstByte' | 'body'): void;
  /** Lets the total time stand until the function that it returns is called. */
  pause(): () => void;
  /** The `FetchError` to throw for an error of the network, or for the abort that caused it. */
  explain(error: unknown): FetchError;
}

export function startBudget(chosen: Partial<FetchLimits> = {}, callerSignal?: AbortSignal): Budget {
  const fetchLimits = withChanges(defaultFetchLimits, chosen);
  const controller = new AbortController();
  let phaseTimer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(totalTimer);
    clearTimeout(phaseTimer);
    callerSignal?.removeEventListener('abort', onCallerAbort);
  };
  const abort = (reason: FetchError) => {
    end();
    controller.abort(reason);
  };
  const expireAfter = (milliseconds: number) =>
    setTimeout(() => abort(new FetchError('timeout')), milliseconds);
  const onCallerAbort = () => abort(new FetchError('aborted'));
  let left = fetchLimits.totalMilliseconds;
  let startedAt = performance.now();
  let totalTimer = expireAfter(left);
  if (callerSignal?.aborted) onCallerAbort();
  else callerSignal?.addEventListener('abort', onCallerAbort, { once: true });

  return {
    limits: fetchLimits,
    signal: controller.signal,
    enter(phase) {
      clearTimeout(phaseTimer);
      if (phase !== 'body') phaseTimer = expireAfter(fetchLimits[`${phase}Milliseconds`]);
    },
    pause() {
      clearTimeout(totalTimer);
      left -= performance.now() - startedAt;
      return () => {
        if (controller.signal.aborted) return;
        startedAt = performance.now();
        totalTimer = expireAfter(left);
      };
    },
    explain(error) {
      if (controller.signal.aborted) return controller.signal.reason;
      return error instanceof FetchError ? error : new FetchError('connection', { cause: error });
    },
    [Symbol.dispose]: end,
  };
}
