import { type PayingEnv, requireKey, requirePayingKey } from '@errand/accounts';
import { answerCompletion, type ChatDeps } from '@errand/chat';
import {
  type AuthenticatedEnv,
  type DeadlineEnv,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  isUuid,
  withDeadline,
} from '@errand/platform';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { responsesDialect } from './dialect.ts';
import { responsesErrors } from './errors.ts';
import { keptResponses } from './kept/routes.ts';
import type { KeptDeps } from './kept/store.ts';
import { readRequest } from './request/read-request.ts';
import type { ResponseContext, ResponseHandlers, ResponsePath } from './response-handlers.ts';
import { createRunResponse } from './runs/create-response.ts';
import type { RunResponseDeps } from './runs/read-response.ts';
import { isAgent } from './runs/read-run-request.ts';
import { runResponses } from './runs/routes.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export interface ResponsesDeps extends ChatDeps, KeptDeps {
  runs: RunResponseDeps;
}

export function responsesRoutes(deps: ResponsesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, responsesErrors));
  app.post(
    '/v1/responses',
    describe('createResponse'),
    withDeadline(deps.accounts),
    requirePayingKey(deps.accounts),
    (c) => create(deps, c),
  );
  const byId = dispatch(deps, { ofRun: runResponses(deps.runs), ofChat: keptResponses(deps) });
  app.get('/v1/responses/:id', describe('getResponse'), ...byId('get'));
  app.delete('/v1/responses/:id', describe('deleteResponse'), ...byId('delete'));
  app.post('/v1/responses/:id/cancel', describe('cancelResponse'), ...byId('cancel'));
  app.get('/v1/responses/:id/input_items', describe('listInputItems'), ...byId('listInput'));
  return app;
}

/** The model tells what a request is for. A run's file may take as long to read as a whole answer: it has limits of its own. */
async function create(deps: ResponsesDeps, c: Context<PayingEnv & DeadlineEnv>): Promise<Response> {
  const { door, deadline } = c.var;
  const cameAt = deps.clock();
  const read = await door.readFirst(() => readRequest(c));
  const isRun = isAgent(read.request.model);
  door.enterFor(isRun ? 'runs' : 'chat');
  if (!isRun) return answerCompletion(deps, responsesDialect(deps, read.request), c);
  deadline.commit();
  return createRunResponse(deps.runs, c, read, cameAt);
}

/** What can be done with a response by its id. A run has its own id as a response, too. */
function dispatch(
  { accounts }: ResponsesDeps,
  { ofRun, ofChat }: { ofRun: ResponseHandlers; ofChat: ResponseHandlers },
) {
  const isRun = (c: ResponseContext) => isUuid(c.req.param('id'));
  const keys = { run: requireKey(accounts, 'runs'), chat: requireKey(accounts, 'chat') };
  const key: MiddlewareHandler<AuthenticatedEnv, ResponsePath> = (c, next) =>
    (isRun(c) ? keys.run : keys.chat)(c, next);
  return (what: keyof ResponseHandlers) =>
    [key, (c: ResponseContext) => (isRun(c) ? ofRun : ofChat)[what](c)] as const;
}
