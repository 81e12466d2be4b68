import { validate, wholeNumber } from '@errand/platform';
import { cancelRun, deleteRun, getRun, type RunRecord, sendStream } from '@errand/runs';
import * as v from 'valibot';
import type { ResponseContext, ResponseHandlers } from '../response-handlers.ts';
import { waitForEnd } from './create-response.ts';
import type { RunResponseDeps } from './deps.ts';
import { listInputItems } from './input-items.ts';
import { readResponse, streamResponse } from './read-response.ts';

const query = v.object({
  stream: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  starting_after: v.optional(v.unwrap(wholeNumber(0, Number.MAX_SAFE_INTEGER, 0))),
});

/** The routes of a response that is a run, by its id. */
export const runResponses = (deps: RunResponseDeps): ResponseHandlers => {
  const runOf = (c: ResponseContext): Promise<RunRecord> => getRun(deps, c.var.principal, c.req.param('id'));
  return {
    async get(c) {
      const { stream, starting_after } = validate(query, c.req.query());
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
    listInput: async (c) => c.json(await listInputItems(deps, await runOf(c))),
  };
};
