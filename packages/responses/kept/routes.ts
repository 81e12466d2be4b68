import { fieldIssue, validate } from '@errand/platform';
import { inputItemsQuery, pageOfItems } from '../input-items.ts';
import type { ResponseHandlers } from '../response-handlers.ts';
import { responseQuery } from '../response-query.ts';
import { deleteResponse } from './delete-response.ts';
import { readResponse } from './read-response.ts';
import type { KeptDeps } from './store.ts';

/** Reads and deletes what is kept of chat models' responses. */
export const keptResponses = (deps: KeptDeps): ResponseHandlers => ({
  async get(c) {
    const { stream } = validate(responseQuery, c.req.query());
    const { response } = await readResponse(deps, c.var.principal, c.req.param('id'));
    if (stream === 'true')
      throw fieldIssue('stream', 'must be false: the responses of runs alone can be streamed again');
    return c.json(response);
  },
  async delete(c) {
    const id = c.req.param('id');
    await deleteResponse(deps, c.var.principal, id);
    return c.json({ id, object: 'response', deleted: true });
  },
  async cancel(c) {
    await readResponse(deps, c.var.principal, c.req.param('id'));
    throw fieldIssue('', 'Only responses with background: true can be cancelled.');
  },
  async listInput(c) {
    const query = validate(inputItemsQuery, c.req.query());
    const { input } = await readResponse(deps, c.var.principal, c.req.param('id'));
    return c.json(pageOfItems(input, query));
  },
});
