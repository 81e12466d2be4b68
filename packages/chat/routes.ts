import { type PayingEnv, requireKey, requireKeyAndCredits } from '@errand/accounts';
import { describeRoute, errorHandler, type HttpEnv, setHeaders } from '@errand/platform';
import { skillHeaders } from '@errand/skills';
import { type Context, Hono } from 'hono';
import { answerPlainly } from './answer-plainly.ts';
import type { ChatDeps } from './deps.ts';
import { describeCompletions, describeModels, describePricing } from './descriptions.ts';
import { chatErrors } from './errors.ts';
import { listModels, showPricing } from './list-models.ts';
import { readChatRequest } from './read-request.ts';
import { alreadySent, leaving, sendJsonBytes, sendStream } from './send.ts';
import { startStream } from './stream/stream-completion.ts';

export function chatRoutes(deps: ChatDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, chatErrors));
  const key = requireKey(deps.accounts);
  const paying = requireKeyAndCredits(deps.accounts);
  app.post('/v1/chat/completions', describeRoute(describeCompletions), paying, (c) => complete(deps, c));
  app.get('/v1/models', describeRoute(describeModels), key, (c) => c.json(listModels(deps.catalogue)));
  // Ids of models may hold slashes.
  app.get('/v1/pricing/:model{.+}', describeRoute(describePricing), key, (c) =>
    c.json(showPricing(deps.catalogue, c.req.param('model'))),
  );
  return app;
}

async function complete(deps: ChatDeps, c: Context<PayingEnv>): Promise<Response> {
  const left = leaving(c);
  const { payer } = await c.var.credits;
  const request = await readChatRequest(deps, c, c.var.principal);
  if (request.skill) setHeaders(c, skillHeaders(request.skill));
  try {
    if (request.body.stream) {
      return await sendStream(c, left, await startStream(deps, request, payer, left.signal));
    }
    return sendJsonBytes(c, await answerPlainly(deps, request, payer, left.signal));
  } catch (error) {
    if (left.signal.aborted) return alreadySent();
    throw error;
  }
}
