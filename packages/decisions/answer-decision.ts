import type { PayingEnv } from '@errand/accounts';
import { answerTime, type Deadline, DomainError, onShutdown, requestLog, startTimer } from '@errand/platform';
import type { Context } from 'hono';
import { decide, readDecision } from './decide.ts';
import type { DecisionDeps } from './deps.ts';
import type { Dialect } from './dialects/dialect.ts';
import { systemOne } from './dialects/system-one/index.ts';

type DecisionContext = Pick<Context<PayingEnv>, 'env' | 'req' | 'var'>;

/** Lets a request for a decision in, and returns the JSON of its answer. Throws the codes of the dialect's errors. */
export async function answerDecision(
  deps: DecisionDeps,
  c: DecisionContext,
  dialect: Dialect,
  read: () => Promise<string>,
  deadline: Deadline,
): Promise<string> {
  const { door, principal, requestId } = c.var;
  await door.checkFirst(() => {
    if (deps.location !== 'eu') throw new DomainError('wrong_location');
  });
  const logged = { ...deps, log: requestLog(c, deps.log) };
  const { credits, ...decision } = await door.letInAfter(async () =>
    readDecision(logged, principal, dialect, await read()),
  );
  const traceparent = deps.accounts.spans && c.req.header('traceparent');
  const asker = { principal, requestId, credits, traceparent };
  return decide(logged, decision, asker, deadline);
}

/**
 * Answers in System One's words a request that may ask for something other than a decision too, and has no deadline
 * of its own. A caller that leaves does not stop the decision, which is charged.
 */
export async function answerSystemOne(
  deps: DecisionDeps,
  c: DecisionContext,
  read: () => Promise<string>,
): Promise<string> {
  const late = new AbortController();
  const stopTimer = startTimer(deps, answerTime(deps), () => late.abort(new DomainError('timed_out')));
  const abort = (reason: unknown) => late.abort(reason);
  const stopWaiting = onShutdown(c, abort);
  const { signal } = late;
  const deadline: Deadline = { signal, abort, commit: () => signal.throwIfAborted() };
  try {
    return await answerDecision(deps, c, systemOne, read, deadline);
  } finally {
    stopTimer();
    stopWaiting();
  }
}
