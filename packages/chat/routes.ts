import { type PayingEnv, requireKey, requireKeyAndCredits, watchKey, whenAdmitted } from '@errand/accounts';
import {
  bytesBody,
  type DeadlineEnv,
  DomainError,
  describeRoute,
  errorHandler,
  eventStreamHeaders,
  type HttpEnv,
  onShutdown,
  requestLog,
  setHeaders,
  streamBody,
  withDeadline,
} from '@errand/platform';
import { skillHeaders } from '@errand/skills';
import { type Context, Hono } from 'hono';
import { answerPlainly } from './answer-plainly.ts';
import type { ChatDeps } from './deps.ts';
import { describeCompletions, describeModels, describePricing, describePricingList } from './descriptions.ts';
import { chatErrors } from './errors.ts';
import { abortOnLeaving, CallerLeft } from './leaving.ts';
import { listModels, listPricing, showPricing } from './list-models.ts';
import { readChatRequest } from './read-request.ts';
import { startStream } from './stream/stream-completion.ts';

export function chatRoutes(deps: ChatDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, chatErrors));
  const key = requireKey(deps.accounts);
  const paying = requireKeyAndCredits(deps.accounts);
  app.post('/v1/chat/completions', describeRoute(describeCompletions), withDeadline(), paying, (c) =>
    complete(deps, c),
  );
  app.get('/v1/models', describeRoute(describeModels), key, (c) => c.json(listModels(deps.catalogue)));
  app.get('/v1/pricing', describeRoute(describePricingList), key, (c) =>
    c.json(listPricing(deps.catalogue, deps.clock())),
  );
  // Ids of models may hold slashes.
  app.get('/v1/pricing/:model{.+}', describeRoute(describePricing), key, (c) =>
    c.json(showPricing(deps.catalogue, c.req.param('model'), deps.clock())),
  );
  return app;
}

async function complete(all: ChatDeps, c: Context<PayingEnv & DeadlineEnv>): Promise<Response> {
  const { admission, deadline, principal } = c.var;
  const deps = { ...all, log: requestLog(c, all.log) };
  abortOnLeaving(c, deadline);
  const watch = () =>
    watchKey(deps.accounts, principal, () => deadline.abort(new DomainError('unauthorized')));
  const start = async () => {
    const { signal } = deadline;
    const request = await readChatRequest(deps, c, principal, { admitted: admission.credits, signal });
    const work = request.body.stream ? startStream : answerPlainly;
    return { skill: request.skill, answer: await work(deps, request, admission.credits, deadline) };
  };
  const stopWatching = watch();
  try {
    const { skill, answer } = await whenAdmitted(admission, deadline.abort, start);
    if (skill) setHeaders(c, skillHeaders(skill));
    if (typeof answer !== 'function') {
      const length = { 'Content-Length': String(answer.length) };
      return c.body(bytesBody(answer), 200, { 'Content-Type': 'application/json', ...length });
    }
    deadline.commit();
    const body = streamBody((writer) => {
      writer.onLeave(() => deadline.abort(new CallerLeft()));
      return answer(writer).finally(watch()).finally(onShutdown(c, deadline.abort));
    });
    return c.body(body, 200, eventStreamHeaders);
  } catch (error) {
    // The caller has left, so nobody reads this answer.
    if (error instanceof CallerLeft) return c.body(null, 500);
    throw error;
  } finally {
    stopWatching();
  }
}
