import { type AccountsDeps, requireKey } from '@errand/accounts';
import {
  DomainError,
  decodeCursor,
  describePageLimit,
  describeRoute,
  encodeCursor,
  errorHandler,
  type HttpEnv,
  isSavedValueName,
  pageLimit,
  plainErrors,
  validate,
} from '@errand/platform';
import { Hono } from 'hono';
import * as v from 'valibot';
import { deleteValue, getValue, listValues, type ValuesDeps } from './store.ts';

const valueSchema = v.object({ name: v.string(), value: v.string(), updatedAt: v.string() });
const valuesSchema = v.object({
  values: v.array(v.object({ name: v.string(), updatedAt: v.string() })),
  cursor: v.optional(v.string()),
});
const querySchema = v.object({ limit: pageLimit(), cursor: v.optional(v.string()) });

/** Names may have slashes. A client encodes them; a platform may decode the path on its way. */
const namePath = '/v1/values/:name{[\\s\\S]+}';

function nameParam(name: string): string {
  if (!isSavedValueName(name)) throw new DomainError('not_found');
  return name;
}

function afterCursor(cursor: string | undefined): { after?: string } {
  if (cursor === undefined) return {};
  return { after: decodeCursor(cursor, (name) => (isSavedValueName(name) ? name : undefined)) };
}

const text = { 'text/plain': 'text' } as const;
const keyErrors = {
  401: { description: 'Missing or invalid key', content: text },
  403: { description: 'The key may not be used for runs', content: text },
  429: { description: 'Rate limit spent', content: text },
} as const;
const missing = {
  404: { description: 'No such value', content: { 'application/json': v.object({ error: v.string() }) } },
};

/** Lists, reads and deletes the values that runs saved for the account. */
export function valueRoutes(deps: ValuesDeps & { accounts: AccountsDeps }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const key = requireKey(deps.accounts, 'runs');
  app.onError(errorHandler(deps.accounts.log, plainErrors));
  app.get(
    '/v1/values',
    describeRoute({
      summary: 'The names that runs of this account saved values under',
      tag: 'account',
      query: { limit: describePageLimit(), cursor: "The page before's `cursor`" },
      responses: {
        200: { description: 'A page', content: { 'application/json': valuesSchema } },
        400: { description: 'Invalid query', content: { 'text/plain': 'text' } },
        ...keyErrors,
      },
    }),
    key,
    async (c) => {
      const { limit, cursor } = validate(querySchema, c.req.query());
      const { values, last } = await listValues(deps, c.var.principal.accountId, {
        limit,
        ...afterCursor(cursor),
      });
      return c.json({
        values,
        ...(last !== undefined && { cursor: encodeCursor(last) }),
      });
    },
  );
  app.get(
    namePath,
    describeRoute({
      summary: 'A saved value',
      tag: 'account',
      responses: {
        200: { description: 'The value', content: { 'application/json': valueSchema } },
        ...missing,
        ...keyErrors,
      },
    }),
    key,
    async (c) => {
      const value = await getValue(deps, c.var.principal.accountId, nameParam(c.req.param('name')));
      if (!value) throw new DomainError('not_found');
      return c.json(value);
    },
  );
  app.delete(
    namePath,
    describeRoute({
      summary: 'Forget a saved value',
      tag: 'account',
      responses: { 204: { description: 'Forgotten' }, ...missing, ...keyErrors },
    }),
    key,
    async (c) => {
      const found = await deleteValue(deps, c.var.principal.accountId, nameParam(c.req.param('name')));
      if (!found) throw new DomainError('not_found');
      return c.body(null, 204);
    },
  );
  return app;
}
