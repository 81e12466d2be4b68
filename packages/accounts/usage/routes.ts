import {
  describeRoutes,
  errorHandler,
  type HttpEnv,
  plainErrors,
  preferredType,
  validate,
} from '@errand/platform';
import { Hono } from 'hono';
import type { AccountsDeps } from '../deps.ts';
import { requireKey } from '../edge.ts';
import { listEntries } from '../list-entries.ts';
import { readSettledCredits } from '../read-credits.ts';
import { describeEntry } from '../schema.ts';
import { writeUsageCsv } from './csv.ts';
import { reportUsage, usageOwnerOf } from './report-usage.ts';
import { entriesQuery, readUsageQuery } from './schema.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export function usageRoutes(deps: AccountsDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, plainErrors));
  app.get('/v1/credits/entries', describe('listCreditEntries'), requireKey(deps), async (c) => {
    const query = validate(entriesQuery, c.req.query());
    const { accountId } = c.var.principal;
    await readSettledCredits(deps, accountId);
    const { entries, cursor } = await listEntries(deps, { accountId }, query);
    return c.json({ entries: entries.map(describeEntry), ...(cursor && { cursor }) });
  });
  app.get('/v1/usage', describe('reportUsage'), requireKey(deps), async (c) => {
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
