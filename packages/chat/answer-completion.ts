import { type PayingEnv, watchKey } from '@errand/accounts';
import { releaseLater } from '@errand/money';
import {
  bytesBody,
  type DeadlineEnv,
  DomainError,
  eventStreamHeaders,
  onShutdown,
  requestLog,
  streamBody,
} from '@errand/platform';
import type { Context } from 'hono';
import { answerPlainly } from './answer-plainly.ts';
import type { ChatDeps } from './deps.ts';
import type { Dialect } from './dialect.ts';
import { CallerLeft, createLeaving, watchLeaving } from './leaving.ts';
import { breakOff, type ChatCall, startCall } from './paid-call.ts';
import { finishRequest, readChatRequest } from './read-request.ts';
import { startStream } from './stream/stream-completion.ts';

type CompletionContext = Context<PayingEnv & DeadlineEnv>;

/** Answers a request for a chat completion, in the words of its dialect: lets it in, asks the model, charges. Throws `DomainError`. */
export async function answerCompletion(
  deps: ChatDeps,
  dialect: Dialect,
  c: CompletionContext,
): Promise<Response> {
  try {
    return await complete(deps, dialect, c);
  } catch (error) {
    // The caller has left, so nobody reads this answer.
    if (error instanceof CallerLeft) return c.body(null, 500);
    throw error;
  }
}

async function complete(all: ChatDeps, dialect: Dialect, c: CompletionContext): Promise<Response> {
  const { door, deadline, principal, requestId } = c.var;
  const deps = { ...all, log: requestLog(c, all.log) };
  const leaving = createLeaving(deps.accounts, deadline);
  watchLeaving(c, leaving);
  const { signal } = deadline;
  const traceparent = deps.accounts.spans && c.req.header('traceparent');
  const { credits, ...read } = await door.letInAfter(() =>
    readChatRequest(deps, dialect, c, { principal, signal }),
  );
  const watch = () =>
    watchKey(deps.accounts, principal, (end) => deadline.abort(new DomainError('unauthorized', { end })));
  const stopWatching = watch();
  let call: ChatCall | undefined;
  try {
    const request = await finishRequest(deps, read, signal);
    call = startCall(deps, request, credits, { principal, requestId, traceparent });
    const work = request.body.stream ? startStream : answerPlainly;
    const answer = await work(deps, call, { ...deadline, leaving });
    if (typeof answer !== 'function') {
      const length = { 'Content-Length': String(answer.length) };
      return c.body(bytesBody(answer), 200, { 'Content-Type': 'application/json', ...length });
    }
    deadline.commit();
    const started = call;
    const neverRead = () => breakOff(deps, started, signal.reason);
    signal.addEventListener('abort', neverRead, { once: true });
    const body = streamBody((writer) => {
      signal.removeEventListener('abort', neverRead);
      writer.onLeave(leaving.leave);
      return answer(writer).finally(watch()).finally(onShutdown(c, deadline.abort));
    });
    return c.body(body, 200, eventStreamHeaders);
  } catch (error) {
    if (call) breakOff(deps, call, signal.aborted ? signal.reason : error);
    else releaseLater(deps.accounts, principal.accountId, credits.reservation);
    throw error;
  } finally {
    stopWatching();
  }
}
