import { requirePayingKey } from '@errand/accounts';
import { answerCompletion, type ChatDeps } from '@errand/chat';
import { describeRoutes, errorHandler, type HttpEnv, withDeadline } from '@errand/platform';
import { Hono } from 'hono';
import { responsesDialect } from './dialect.ts';
import { responsesErrors } from './errors.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export type ResponsesDeps = ChatDeps;

export function responsesRoutes(deps: ResponsesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, responsesErrors));
  const dialect = responsesDialect(deps);
  app.post(
    '/v1/responses',
    describe('createResponse'),
    withDeadline(deps.accounts),
    requirePayingKey(deps.accounts, 'chat'),
    (c) => answerCompletion(deps, dialect, c),
  );
  return app;
}
