import {
  type AccountsDeps,
  formatEuro,
  nothingYet,
  type PayingEnv,
  requireKey,
  requirePayingKey,
  whenSettled,
} from '@errand/accounts';
import {
  type AuthenticatedEnv,
  DomainError,
  describeRoutes,
  endOfRequest,
  errorHandler,
  type HttpEnv,
  validate,
} from '@errand/platform';
import { showSkill } from '@errand/skills';
import { type Context, Hono } from 'hono';
import { cancelRun } from './cancel-run.ts';
import { createRun } from './create/create-run.ts';
import { type CreateRunDeps, prepareRun } from './create/prepare-run.ts';
import { readCreateBody, readIdempotencyKey } from './create/read-create-body.ts';
import { readCreateForm } from './create/read-create-form.ts';
import { deleteRun } from './delete-run.ts';
import { runErrors } from './errors.ts';
import { listOwnRuns } from './list-runs.ts';
import { readEventPage } from './read-event-page.ts';
import { getRun, showRun } from './read-run.ts';
import { eventsQuerySchema, listQuerySchema } from './schema.ts';

interface RunRoutesDeps extends CreateRunDeps {
  accounts: AccountsDeps;
  agentsEnabled: boolean;
  /** Links to saved files begin with it; with the request's own origin if it is absent. */
  publicUrl?: string;
}

const describe = describeRoutes(() => import('./route-descriptions.ts'));

type RunContext = Context<AuthenticatedEnv>;

export function runRoutes(deps: RunRoutesDeps): Hono<HttpEnv> {
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
    const { limit, cursor, status } = validate(listQuerySchema, c.req.query());
    const query = { limit, ...(cursor !== undefined && { cursor }), ...(status && { status }) };
    return c.json(await listOwnRuns(deps, c.var.principal, query));
  });
  app.get('/v1/agents/runs/:agentId', describe('getRun'), key, async (c) =>
    c.json(await showRun(deps, await getRun(deps, c.var.principal, c.req.param('agentId')))),
  );
  app.delete('/v1/agents/runs/:agentId', describe('deleteRun'), key, async (c) => {
    await deleteRun(deps, c.var.principal, c.req.param('agentId'));
    return c.body(null, 204);
  });
  app.post('/v1/agents/runs/:agentId/cancel', describe('cancelRun'), key, async (c) =>
    c.json(await showRun(deps, await cancelRun(deps, c.var.principal, c.req.param('agentId'))), 202),
  );
  app.get('/v1/agents/runs/:agentId/events', describe('listRunEvents'), key, async (c) => {
    const run = await getRun(deps, c.var.principal, c.req.param('agentId'));
    return c.json(await readEventPage(deps, run, validate(eventsQuerySchema, c.req.query())));
  });
  return app;
}

async function create(deps: RunRoutesDeps, c: Context<PayingEnv>): Promise<Response> {
  const { principal, requestId, door } = c.var;
  await door.checkFirst(() => {
    if (!deps.agentsEnabled) throw new DomainError('agents_disabled');
  });
  // A decision of the account may not be charged yet, and the header says what the balance was.
  await whenSettled(deps, principal.accountId);
  const { credits, ...prepared } = isForm(c) ? await letInForm(deps, c) : await letInBody(deps, c);
  const origin = deps.publicUrl ?? new URL(c.req.url).origin;
  const requester = { principal, credits, requestId, origin, signal: endOfRequest(c) };
  const { agentId, skill } = await createRun(deps, requester, prepared);
  c.header('X-Credits-Remaining', formatEuro(credits.balanceNanoEuro));
  showSkill(c, skill);
  return c.json({ agentId, status: 'queued' }, 202);
}

const letInBody = (deps: RunRoutesDeps, c: Context<PayingEnv>) =>
  c.var.door.letInAfter(async () => {
    const idempotencyKey = readIdempotencyKey(c);
    return prepareRun(deps, await readCreateBody(c), asking(c, idempotencyKey));
  });

/** A form is let in before its file arrives: what it costs is set aside when the file is there. */
async function letInForm(deps: RunRoutesDeps, c: Context<PayingEnv>) {
  const credits = await c.var.door.letIn(nothingYet);
  const idempotencyKey = readIdempotencyKey(c);
  const request = await readCreateForm(deps, c, { digest: idempotencyKey !== undefined });
  try {
    return { ...(await prepareRun(deps, request, asking(c, idempotencyKey))), credits };
  } catch (error) {
    await request.upload?.drop();
    throw error;
  }
}

const asking = (c: Context<PayingEnv>, idempotencyKey: string | undefined) => ({
  principal: c.var.principal,
  idempotencyKey,
  onSkill: (skill: Parameters<typeof showSkill>[1]) => showSkill(c, skill),
});

const isForm = (c: Pick<Context, 'req'>) =>
  /^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? '');
