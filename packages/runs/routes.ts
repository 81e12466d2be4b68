import { type PayingEnv, requireKey, requirePayingKey } from '@errand/accounts';
import {
  type AuthenticatedEnv,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  validate,
} from '@errand/platform';
import { type Context, Hono } from 'hono';
import { cancelRun } from './cancel-run.ts';
import { createRun } from './create/create-run.ts';
import { readCreateBody, readCreateForm } from './create/read-request.ts';
import { deleteRun } from './delete-run.ts';
import type { CreateRunDeps } from './deps.ts';
import { runErrors } from './errors.ts';
import { listOwnRuns } from './list-runs.ts';
import { readEventPage } from './read-event-page.ts';
import { getRun, showRun } from './read-run.ts';
import { writeView } from './run-value.ts';
import { eventsQuerySchema, listQuerySchema } from './schema.ts';
import type { RunView } from './wire.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

type RunContext = Context<AuthenticatedEnv>;

export function runRoutes(deps: CreateRunDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const key = requireKey(deps.accounts, 'runs');
  app.onError(errorHandler(deps.log, runErrors));
  app.post(
    '/v1/agents/runs',
    describe('createRun'),
    requirePayingKey(deps.accounts, 'runs'),
    (c: Context<PayingEnv>) => create(deps, c),
  );
  app.get('/v1/agents/runs', describe('listRuns'), key, async (c: RunContext) => {
    const query = validate(listQuerySchema, c.req.query());
    return c.json(await listOwnRuns(deps, c.var.principal, query));
  });
  app.get('/v1/agents/runs/:agentId', describe('getRun'), key, async (c) =>
    sendRun(c, await showRun(deps, await getRun(deps, c.var.principal, c.req.param('agentId')))),
  );
  app.delete('/v1/agents/runs/:agentId', describe('deleteRun'), key, async (c) => {
    await deleteRun(deps, c.var.principal, c.req.param('agentId'));
    return c.body(null, 204);
  });
  app.post('/v1/agents/runs/:agentId/cancel', describe('cancelRun'), key, async (c) =>
    sendRun(c, await showRun(deps, await cancelRun(deps, c.var.principal, c.req.param('agentId'))), 202),
  );
  app.get('/v1/agents/runs/:agentId/events', describe('listRunEvents'), key, async (c) => {
    const run = await getRun(deps, c.var.principal, c.req.param('agentId'));
    return c.json(await readEventPage(deps, run, validate(eventsQuerySchema, c.req.query())));
  });
  return app;
}

const sendRun = (c: Pick<Context, 'body'>, run: RunView, status: 200 | 202 = 200) =>
  c.body(writeView(run), status, { 'Content-Type': 'application/json' });

const create = async (deps: CreateRunDeps, c: Context<PayingEnv>) => {
  const agentId = await createRun(
    deps,
    c,
    isForm(c)
      ? { read: (how) => readCreateForm(deps, c, how), isLetInFirst: true }
      : { read: () => readCreateBody(c) },
  );
  return c.json({ agentId, status: 'queued' }, 202);
};

const isForm = (c: Pick<Context, 'req'>) =>
  /^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? '');
