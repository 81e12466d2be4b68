import { type PayingEnv, requireKey, requirePayingKey } from '@errand/accounts';
import { answerCompletion, type ChatDeps } from '@errand/chat';
import {
  type AuthenticatedEnv,
  type DeadlineEnv,
  DomainError,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  isUuid,
  withDeadline,
} from '@errand/platform';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { responsesDialect } from './dialect.ts';
import { responsesErrors } from './errors.ts';
import { readRequest } from './request/read-request.ts';
import { isAgent } from './runs/agent-model.ts';
import { createRunResponse } from './runs/create-response.ts';
import type { RunResponseDeps } from './runs/deps.ts';
import { runResponses } from './runs/routes.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export interface ResponsesDeps extends ChatDeps {
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
  const key = requireRunKey(deps);
  const runs = runResponses(deps.runs);
  app.get('/v1/responses/:id', describe('getResponse'), key, runs.get);
  app.delete('/v1/responses/:id', describe('deleteResponse'), key, runs.delete);
  app.post('/v1/responses/:id/cancel', describe('cancelResponse'), key, runs.cancel);
  app.get('/v1/responses/:id/input_items', describe('listInputItems'), key, runs.listInput);
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

/** A response that is a run has the run's id. */
function requireRunKey({ accounts }: ResponsesDeps): MiddlewareHandler<AuthenticatedEnv> {
  const ofRun = requireKey(accounts, 'runs');
  const ofNone = requireKey(accounts);
  return (c, next) => {
    if (isUuid(c.req.param('id') ?? '')) return ofRun(c, next);
    return ofNone(c, () => Promise.reject(new DomainError('not_found')));
  };
}
