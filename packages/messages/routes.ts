import { requireKey, requirePayingKey } from '@errand/accounts';
import { answerCompletion, type ChatDeps } from '@errand/chat';
import { describeRoutes, errorHandler, type HttpEnv, nextWithHeaders, withDeadline } from '@errand/platform';
import { Hono, type MiddlewareHandler } from 'hono';
import { countTokens } from './count-tokens.ts';
import { messagesDialect } from './dialect.ts';
import { messagesErrors, shapeError } from './errors.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export type MessagesDeps = ChatDeps;

export function messagesRoutes(deps: MessagesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, messagesErrors));
  app.use('/v1/messages/*', inOwnWords);
  const dialect = messagesDialect(deps);
  app.post(
    '/v1/messages',
    describe('createMessage'),
    withDeadline(deps.accounts),
    requirePayingKey(deps.accounts, 'chat'),
    (c) => answerCompletion(deps, dialect, c),
  );
  app.post(
    '/v1/messages/count_tokens',
    describe('countMessageTokens'),
    withDeadline(deps.accounts),
    requireKey(deps.accounts, 'chat'),
    async (c) => c.json(await countTokens(deps, c)),
  );
  return app;
}

/**
 * Anthropic's clients read errors of their protocol alone, those of paths without a route too, and show the request's id by the
 * name that their provider gives it.
 */
const inOwnWords: MiddlewareHandler<HttpEnv> = (c, next) => {
  c.set('shape', shapeError);
  return nextWithHeaders(c, { 'Request-Id': c.var.requestId }, next);
};
