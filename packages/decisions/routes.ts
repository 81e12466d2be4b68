import { requirePayingKey } from '@errand/accounts';
import {
  DomainError,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  limits,
  nextWithHeaders,
  readJsonText,
  requestLog,
  withDeadline,
} from '@errand/platform';
import { Hono, type MiddlewareHandler } from 'hono';
import { decide, readDecision } from './decide.ts';
import type { DecisionDeps } from './deps.ts';
import { decisionErrors } from './errors.ts';

/** Clients of the decision protocol read the request id from this header. */
const withProtocolRequestId: MiddlewareHandler<HttpEnv> = (c, next) =>
  nextWithHeaders(c, { 'X-TypeSafe-Request-Id': c.get('requestId') }, next);

const describe = describeRoutes(() => import('./route-descriptions.ts'));

/** `POST /v1/systemone`. */
export function decisionRoutes(deps: DecisionDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, decisionErrors));
  app.use('/v1/systemone', withProtocolRequestId);
  app.post(
    '/v1/systemone',
    describe('decide'),
    withDeadline(deps),
    requirePayingKey(deps.accounts, 'decisions'),
    async (c) => {
      const { door, deadline, principal, requestId } = c.var;
      await door.checkFirst(() => {
        if (deps.location !== 'eu') throw new DomainError('wrong_location');
      });
      const logged = { ...deps, log: requestLog(c, deps.log) };
      const { credits, ...decision } = await door.letInAfter(async () =>
        readDecision(logged, principal, await readJsonText(c, limits.decisionBodyBytes)),
      );
      const answer = await decide(logged, decision, { principal, requestId, credits }, deadline);
      return c.body(answer, 200, { 'Content-Type': 'application/json' });
    },
  );
  return app;
}
