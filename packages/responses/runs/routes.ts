import { validate } from '@errand/platform';
import { cancelRun, deleteRun, getRun, type RunRecord, sendStream } from '@errand/runs';
import { inputItemsQuery, pageOfItems } from '../input-items.ts';
import type { ResponseContext, ResponseHandlers } from '../response-handlers.ts';
import { responseQuery } from '../response-query.ts';
import { waitForEnd } from './create-response.ts';
import type { RunResponseDeps } from './deps.ts';
import { readInputItem } from './input-item.ts';
import { readResponse, streamResponse } from './read-response.ts';

/** The routes of a response that is a run, by its id. */
export const runResponses = (deps: RunResponseDeps): ResponseHandlers => {
  const runOf = (c: ResponseContext): Promise<RunRecord> => getRun(deps, c.var.principal, c.req.param('id'));
  return {
    async get(c) {
      const { stream, starting_after } = validate(responseQuery, c.req.query());
      const run = await runOf(c);
      if (stream === 'false') return c.json(await readResponse(deps, run));
      return sendStream(deps, c, (controls) => streamResponse(deps, run, starting_after ?? -1, controls));
    },
    async delete(c) {
      const id = c.req.param('id');
      await deleteRun(deps, c.var.principal, id);
      return c.json({ id, object: 'response', deleted: true });
    },
    /** A worker ends the run a moment after it was asked to. */
    async cancel(c) {
      const cameAt = deps.clock();
      const run = await cancelRun(deps, c.var.principal, c.req.param('id'));
      return c.json(await waitForEnd(deps, c, run, cameAt));
    },
    async listInput(c) {
      const query = validate(inputItemsQuery, c.req.query());
      return c.json(pageOfItems([await readInputItem(deps, await runOf(c))], query));
    },
  };
};
