import {
  type AuthenticatedEnv,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  plainErrors,
  preferredType,
  validate,
} from '@errand/platform';
import { Hono, type MiddlewareHandler } from 'hono';
import type { MoneyDeps } from './deps.ts';
import { listEntries } from './list-entries.ts';
import { budgetOf } from './payer.ts';
import { readSettledCredits } from './read-credits.ts';
import { type CreditsView, creditsQuery, describeCredits, describeEntry } from './schema.ts';
import { writeUsageCsv } from './usage/csv.ts';
import { reportUsage, usageOwnerOf } from './usage/report-usage.ts';
import { entriesQuery, readUsageQuery } from './usage/schema.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

/** What keys may read of the money of their account. `guard` lets a key's requests in. */
export function moneyRoutes(deps: MoneyDeps, guard: MiddlewareHandler<AuthenticatedEnv>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, plainErrors));
  app.get('/v1/credits', describe('getCredits'), guard, async (c) => {
    const { limit, cursor } = validate(creditsQuery, c.req.query());
    const { accountId } = c.var.principal;
    // Reading the credits may charge calls of dead processes, and those charges must be among the entries.
    const purse = await readSettledCredits(deps, accountId);
    const page = await listEntries(deps, { accountId }, { limit, cursor });
    const view: CreditsView = {
      ...describeCredits(purse, budgetOf(deps, c.var.principal)),
      entries: page.entries.map(describeEntry),
      cursor: page.cursor,
    };
    return c.json(view);
  });
  app.get('/v1/credits/entries', describe('listCreditEntries'), guard, async (c) => {
    const query = validate(entriesQuery, c.req.query());
    const { accountId } = c.var.principal;
    await readSettledCredits(deps, accountId);
    const { entries, cursor } = await listEntries(deps, { accountId }, query);
    return c.json({ entries: entries.map(describeEntry), cursor });
  });
  app.get('/v1/usage', describe('reportUsage'), guard, async (c) => {
    const { scope, ...query } = readUsageQuery(c.req.query(), deps.clock());
    const owner = usageOwnerOf(c.var.principal, scope);
    await readSettledCredits(deps, c.var.principal.accountId);
    const report = await reportUsage(deps, owner, query);
    c.header('Vary', 'Accept');
    if (preferredType(c, ['application/json', 'text/csv']) === 'application/json') return c.json(report);
    return c.body(writeUsageCsv(query.groupBy, report.rows), 200, {
      'Content-Type': 'text/csv; charset=utf-8',
    });
  });
  return app;
}
