import type { MiddlewareHandler } from 'hono';
import { type StartTimer, startSystemTimer } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { HttpEnv } from './env.ts';

export interface Deadline {
  /** Aborted with `timed_out`, or for another reason to end the work. */
  signal: AbortSignal;
  abort(reason: unknown): void;
  /** From here on the request will be answered, however long that takes. Throws the reason if the work was ended. */
  commit(): void;
}

export interface DeadlineEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { deadline: Deadline };
}

/**
 * Sets `c.var.deadline`: a request that is not committed to an answer before the edge gives up on it is refused with
 * `timed_out`, whatever it waits for. Comes before everything that may have to be waited for.
 */
export function withDeadline(deps: { startTimer?: StartTimer } = {}): MiddlewareHandler<DeadlineEnv> {
  return async (c, next) => {
    const controller = new AbortController();
    const { signal } = controller;
    const over = Promise.withResolvers<never>();
    const stop = (deps.startTimer ?? startSystemTimer)(limits.answerMilliseconds, () => {
      const refusal = new DomainError('timed_out');
      controller.abort(refusal);
      over.reject(refusal);
    });
    c.set('deadline', {
      signal,
      abort: (reason) => controller.abort(reason),
      commit() {
        signal.throwIfAborted();
        stop();
      },
    });
    try {
      await Promise.race([next(), over.promise]);
    } finally {
      stop();
    }
  };
}
