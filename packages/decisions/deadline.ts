import { DomainError, limits, type StartTimer, startSystemTimer } from '@errand/platform';

export interface Deadline {
  /** Aborted with `timed_out`. */
  signal: AbortSignal;
  /** Ends the work for another reason. */
  abort(reason: unknown): void;
  /** From here on the request will be answered, however long that takes. */
  stop(): void;
  /** What the work comes to, or `timed_out` if the time is over first. */
  bound<T>(work: Promise<T>): Promise<T>;
}

export function startDeadline(deps: { startTimer?: StartTimer }): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (deps.startTimer ?? startSystemTimer)(limits.answerMilliseconds, () =>
    controller.abort(new DomainError('timed_out')),
  );
  return {
    signal,
    stop,
    abort: (reason) => controller.abort(reason),
    bound: (work) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        work.then(resolve, reject);
      }),
  };
}
