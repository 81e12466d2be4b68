import { requirePayingKey } from '@errand/accounts';
import {
  DomainError,
  describeRoute,
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
import { decisionAnswer, decisionBody, decisionError } from './schema.ts';

/** Clients of the decision protocol read the request id from this header. */
const withProtocolRequestId: MiddlewareHandler<HttpEnv> = (c, next) =>
  nextWithHeaders(c, { 'X-TypeSafe-Request-Id': c.get('requestId') }, next);

const json = { 'application/json': decisionError };
const text = { 'text/plain': 'text' } as const;

const description = describeRoute({
  summary: 'A probability for every possible answer to 1 to 32 questions about a case, read in one pass',
  tag: 'decisions',
  body: { schema: decisionBody },
  responses: {
    200: {
      description: 'The answers, in the order of the questions',
      content: { 'application/json': decisionAnswer },
    },
    400: { description: 'Not the decision model, or a body that is not JSON', content: json },
    401: { description: 'Missing or invalid key', content: text },
    402: { description: "No credits left, or the key's budget is spent", content: json },
    403: { description: 'Sent to the US endpoint, or not allowed to the key', content: json },
    413: { description: 'Body over 4 MB', content: json },
    422: { description: 'Invalid body, or more than fits the context', content: json },
    429: { description: 'Rate limit spent', content: text },
    500: { description: 'Internal failure; a retry meets it again', content: json },
    503: { description: 'Model at capacity or degraded; retry', content: json },
    504: { description: 'Not done within the time limit', content: json },
  },
});

/** `POST /v1/systemone`. */
export function decisionRoutes(deps: DecisionDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, decisionErrors));
  app.use('/v1/systemone', withProtocolRequestId);
  app.post(
    '/v1/systemone',
    description,
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
