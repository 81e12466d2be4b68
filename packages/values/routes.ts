import { type AccountsDeps, requireKey } from '@errand/accounts';
import {
  DomainError,
  decodeCursor,
  describeRoutes,
  encodeCursor,
  errorHandler,
  type HttpEnv,
  isSavedValueName,
  pageLimit,
  plainErrors,
  queryText,
  validate,
} from '@errand/platform';
import { Hono } from 'hono';
import * as v from 'valibot';
import { deleteValue, getValue, listValues, type ValuesDeps } from './store.ts';

const querySchema = v.object({ limit: pageLimit(), cursor: queryText });

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

const describe = describeRoutes(() => import('./route-descriptions.ts'));

/** Lists, reads and deletes the values that runs saved for the account. */
export function valueRoutes(deps: ValuesDeps & { accounts: AccountsDeps }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const key = requireKey(deps.accounts, 'runs');
  app.onError(errorHandler(deps.accounts.log, plainErrors));
  app.get('/v1/values', describe('listValues'), key, async (c) => {
    const { limit, cursor } = validate(querySchema, c.req.query());
    const { values, last } = await listValues(deps, c.var.principal.accountId, {
      limit,
      ...afterCursor(cursor),
    });
    return c.json({
      values,
      ...(last !== undefined && { cursor: encodeCursor(last) }),
    });
  });
  app.get(namePath, describe('getValue'), key, async (c) => {
    const value = await getValue(deps, c.var.principal.accountId, nameParam(c.req.param('name')));
    if (!value) throw new DomainError('not_found');
    return c.json(value);
  });
  app.delete(namePath, describe('deleteValue'), key, async (c) => {
    const found = await deleteValue(deps, c.var.principal.accountId, nameParam(c.req.param('name')));
    if (!found) throw new DomainError('not_found');
    return c.body(null, 204);
  });
  return app;
}
