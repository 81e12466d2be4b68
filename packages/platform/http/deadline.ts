import type { MiddlewareHandler } from 'hono';
import { type Clock, startTimer, systemClock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { HttpEnv } from './env.ts';
import { onShutdown } from './on-shutdown.ts';

export interface Deadline {
  /** Aborted with `timed_out`, with `stopping`, or with the reason given to `abort`. */
  signal: AbortSignal;
  abort(reason: unknown): void;
  /**
   * Stops the clock, because the request will be answered, however long that takes. Throws the reason if it was
   * aborted.
   */
  commit(): void;
}

export interface DeadlineEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & { deadline: Deadline };
}

/** The time that the operator gives an answer that is not streamed. Default: `limits.answerMilliseconds`. */
export interface AnswerTime {
  answerMilliseconds?: number;
}

export const answerTime = ({ answerMilliseconds = limits.answerMilliseconds }: AnswerTime): number =>
  answerMilliseconds;

/**
 * Sets `c.var.deadline`. A request that has not committed to an answer within the time of an answer is refused with
 * `timed_out`, whatever it waits for: the edge gives up 5 s later. A request that has not committed when the process
 * ends is refused with `stopping`. Must come before all middleware that waits.
 */
export function withDeadline(
  deps: { clock: Clock } & AnswerTime = { clock: systemClock },
): MiddlewareHandler<DeadlineEnv> {
  return async (c, next) => {
    const controller = new AbortController();
    const { signal } = controller;
    const over = Promise.withResolvers<never>();
    const refuse = (refusal: unknown) => {
      controller.abort(refusal);
      over.reject(refusal);
    };
    const stopTimer = startTimer(deps, answerTime(deps), () => refuse(new DomainError('timed_out')));
    const stopWaiting = onShutdown(c, refuse);
    const stop = () => {
      stopTimer();
      stopWaiting();
    };
    c.set('deadline', {
      signal,
      abort: (reason) => controller.abort(reason),
      commit() {
        signal.throwIfAborted();
        stop();
      },
    });
    try {
      await (signal.aborted ? over.promise : Promise.race([next(), over.promise]));
    } finally {
      stop();
    }
  };
}
