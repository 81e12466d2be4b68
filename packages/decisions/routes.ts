import { requirePayingKey } from '@errand/accounts';
import {
  describeRoutes,
  type ErrorAnswer,
  type ErrorTable,
  errorHandler,
  type HttpEnv,
  limits,
  nextWithHeaders,
  readJsonText,
  withDeadline,
} from '@errand/platform';
import { Hono, type MiddlewareHandler } from 'hono';
import { answerDecision } from './answer-decision.ts';
import type { DecisionDeps } from './deps.ts';
import type { Dialect } from './dialects/dialect.ts';
import { openAiErrors, openAiInternalError } from './dialects/openai/errors.ts';
import { openAi } from './dialects/openai/index.ts';
import { systemOneErrors } from './dialects/system-one/errors.ts';
import { systemOne } from './dialects/system-one/index.ts';

const describe = describeRoutes(() => import('./descriptions.ts'));

/** Clients of System One's protocol read the request id from this header. */
const withProtocolRequestId: MiddlewareHandler<HttpEnv> = (c, next) =>
  nextWithHeaders(c, { 'X-TypeSafe-Request-Id': c.get('requestId') }, next);

/** `POST /v1/systemone` and `POST /v1/decisions`: the same decisions in two dialects. */
export function decisionRoutes(deps: DecisionDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use('/v1/systemone', withProtocolRequestId);
  app.route(
    '/',
    dialectRoute(deps, {
      path: '/v1/systemone',
      dialect: systemOne,
      errors: systemOneErrors,
      description: describe('askSystemOne'),
    }),
  );
  app.route(
    '/',
    dialectRoute(deps, {
      path: '/v1/decisions',
      dialect: openAi,
      errors: openAiErrors,
      unexpected: openAiInternalError,
      description: describe('createDecision'),
    }),
  );
  return app;
}

interface DialectRoute {
  path: string;
  dialect: Dialect;
  errors: ErrorTable;
  /** The answer to a failure that nobody foresaw, if it has words of its own. */
  unexpected?: ErrorAnswer;
  description: MiddlewareHandler;
}

function dialectRoute(
  deps: DecisionDeps,
  { path, dialect, errors, unexpected, description }: DialectRoute,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, errors, unexpected));
  app.post(path, description, withDeadline(deps), requirePayingKey(deps.accounts, 'decisions'), async (c) => {
    const read = () => readJsonText(c, limits.decisionBodyBytes);
    const answer = await answerDecision(deps, c, dialect, read, c.var.deadline);
    return c.body(answer, 200, { 'Content-Type': 'application/json' });
  });
  return app;
}
