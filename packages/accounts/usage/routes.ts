import {
  describeRoute,
  errorHandler,
  type HttpEnv,
  limits,
  plainErrors,
  preferredType,
  validate,
} from '@errand/platform';
import { Hono } from 'hono';
import * as v from 'valibot';
import type { AccountsDeps } from '../deps.ts';
import { requireKey } from '../edge.ts';
import { listEntries } from '../list-entries.ts';
import { readSettledCredits } from '../read-credits.ts';
import { describeEntry } from '../schema.ts';
import { writeUsageCsv } from './csv.ts';
import { reportUsage, usageOwnerOf } from './report-usage.ts';
import { groupFields } from './rows.ts';
import { entriesQuery, entriesView, readUsageQuery, usageView } from './schema.ts';

const text = { 'text/plain': 'text' } as const;
const refusals = {
  400: { description: 'A wrong parameter', content: text },
  401: { description: 'Missing or invalid key', content: text },
  429: { description: 'Rate limit spent', content: text },
};

const times = {
  from: 'A day such as `2026-11-21`, which begins at midnight UTC, or a time in ISO 8601',
  to: 'The same; exclusive',
};

const describeEntries = describeRoute({
  summary: "The account's ledger entries, newest first",
  tag: 'account',
  query: {
    limit: `Entries on the page, 1 to ${limits.ledgerPageEntries}; ${limits.ledgerPageEntries} if not given`,
    cursor: "The page before's `cursor`, with the same times",
    ...times,
  },
  responses: {
    200: {
      description: '`cursor` is there while more follow.',
      content: { 'application/json': entriesView },
    },
    ...refusals,
  },
});

const describeUsage = describeRoute({
  summary: 'What was used and charged, summed up',
  tag: 'account',
  query: {
    ...times,
    groupBy: `Some of ${groupFields.join(', ')}, with commas between them; not both day and hour. day if not given`,
    scope: '`account`, or `organisation` with a key that is marked as operator',
  },
  headers: { Accept: '`text/csv` for a table' },
  responses: {
    200: {
      description: 'A row for each group that was used, sorted. The amount is a decimal string of EUR.',
      content: { 'application/json': usageView, 'text/csv': 'text' },
    },
    ...refusals,
    403: {
      description: 'The key is not marked as operator of an organisation',
      content: { 'application/json': v.object({ error: v.string() }) },
    },
  },
});

export function usageRoutes(deps: AccountsDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, plainErrors));
  app.get('/v1/credits/entries', describeEntries, requireKey(deps), async (c) => {
    const query = validate(entriesQuery, c.req.query());
    const { accountId } = c.var.principal;
    await readSettledCredits(deps, accountId);
    const { entries, cursor } = await listEntries(deps, { accountId }, query);
    return c.json({ entries: entries.map(describeEntry), ...(cursor && { cursor }) });
  });
  app.get('/v1/usage', describeUsage, requireKey(deps), async (c) => {
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
