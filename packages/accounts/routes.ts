import { describeRoutes, errorHandler, type HttpEnv, plainErrors, validate } from '@errand/platform';
import { Hono } from 'hono';
import type { AccountsDeps } from './deps.ts';
import { requireKey } from './edge.ts';
import { listEntries } from './list-entries.ts';
import { budgetOf } from './payer.ts';
import { readSettledCredits } from './read-credits.ts';
import { type CreditsView, creditsQuery, describeCredits, describeEntry } from './schema.ts';
import { usageRoutes } from './usage/routes.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export function accountRoutes(deps: AccountsDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, plainErrors));
  app.get('/v1/credits', describe('getCredits'), requireKey(deps), async (c) => {
    const { limit, cursor } = validate(creditsQuery, c.req.query());
    const { accountId } = c.var.principal;
    // It may charge calls of dead processes, which are entries then.
    const purse = await readSettledCredits(deps, accountId);
    const page = await listEntries(deps, { accountId }, { limit, ...(cursor !== undefined && { cursor }) });
    const view: CreditsView = {
      ...describeCredits(purse, budgetOf(deps, c.var.principal)),
      entries: page.entries.map(describeEntry),
      ...(page.cursor && { cursor: page.cursor }),
    };
    return c.json(view);
  });
  app.route('/', usageRoutes(deps));
  return app;
}
