import { validate } from '@errand/platform';
import { cancelRun, deleteRun, getRun, type RunRecord, readRunInput, sendStream } from '@errand/runs';
import { itemIdOf, keyOfRun } from '../ids.ts';
import type { Item } from '../request/schema.ts';
import {
  inputItemsQuery,
  pageOfItems,
  type ResponseContext,
  type ResponseHandlers,
  responseQuery,
} from '../response-handlers.ts';
import { waitForEnd } from './create-response.ts';
import { type RunResponseDeps, readResponse, streamResponse } from './read-response.ts';
import { replyItems } from './replies.ts';

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
      return c.json(pageOfItems(await readInputItems(deps, await runOf(c)), query));
    },
  };
};

/** What a run was told and asked: answers to calls, and one message of its user, unless it goes on with what was asked before. */
async function readInputItems(deps: RunResponseDeps, { agentId }: RunRecord): Promise<Item[]> {
  const { agent } = await readRunInput(deps, agentId);
  const { question, documentUrl, attachment, continues } = agent;
  const key = keyOfRun(agentId);
  const content = [
    ...(continues ? [] : [{ type: 'input_text', text: question }]),
    ...(documentUrl === undefined ? [] : [{ type: 'input_file', file_url: documentUrl }]),
    ...(attachment ? [{ type: 'input_file', filename: attachment.filename }] : []),
  ];
  const id = itemIdOf('msg_input', key);
  const message = { id, type: 'message', status: 'completed', role: 'user', content };
  return [...replyItems(agent, key), ...(content.length > 0 ? [message] : [])];
}
