import { requireKey, requirePayingKey } from '@errand/accounts';
import { answerCompletion, type ChatDeps } from '@errand/chat';
import {
  describeRoutes,
  errorHandler,
  fieldIssue,
  type HttpEnv,
  validate,
  withDeadline,
} from '@errand/platform';
import { Hono } from 'hono';
import { responsesDialect } from './dialect.ts';
import { responsesErrors } from './errors.ts';
import { deleteResponse } from './kept/delete-response.ts';
import { inputItemsQuery, listInputItems } from './kept/list-input-items.ts';
import { readResponse } from './kept/read-response.ts';
import type { KeptDeps } from './kept/store.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

export type ResponsesDeps = ChatDeps & KeptDeps;

export function responsesRoutes(deps: ResponsesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(deps.log, responsesErrors));
  const dialect = responsesDialect(deps);
  app.post(
    '/v1/responses',
    describe('createResponse'),
    withDeadline(deps.accounts),
    requirePayingKey(deps.accounts, 'chat'),
    (c) => answerCompletion(deps, dialect, c),
  );
  app.route('/', keptRoutes(deps));
  return app;
}

/** Reads and deletes what is kept of chat models' responses, whose ids begin with `resp_`. */
function keptRoutes(deps: ResponsesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const key = requireKey(deps.accounts, 'chat');
  app.get('/v1/responses/:id', describe('getResponse'), key, async (c) => {
    const { response } = await readResponse(deps, c.var.principal, c.req.param('id'));
    if (c.req.query('stream') === 'true')
      throw fieldIssue('stream', 'must be false: the responses of runs alone can be streamed again');
    return c.json(response);
  });
  app.delete('/v1/responses/:id', describe('deleteResponse'), key, async (c) => {
    const id = c.req.param('id');
    await deleteResponse(deps, c.var.principal, id);
    return c.json({ id, object: 'response', deleted: true });
  });
  app.get('/v1/responses/:id/input_items', describe('listInputItems'), key, async (c) => {
    const query = validate(inputItemsQuery, c.req.query());
    return c.json(await listInputItems(deps, c.var.principal, c.req.param('id'), query));
  });
  app.post('/v1/responses/:id/cancel', describe('cancelResponse'), key, async (c) => {
    await readResponse(deps, c.var.principal, c.req.param('id'));
    throw fieldIssue('', 'Only responses with background: true can be cancelled.');
  });
  return app;
}
