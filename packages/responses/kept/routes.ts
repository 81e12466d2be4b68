import { DomainError, fieldIssue, type Principal, validate } from '@errand/platform';
import { keyOfResponse } from '../ids.ts';
import { inputItemsQuery, pageOfItems, type ResponseHandlers, responseQuery } from '../response-handlers.ts';
import { deleteKept, getKept, type KeptDeps, type KeptResponse } from './store.ts';

/** Throws `not_found`, which does not tell a response of another key from one that is missing. */
async function readResponse(
  deps: KeptDeps,
  { keyId }: Pick<Principal, 'keyId'>,
  id: string,
): Promise<KeptResponse> {
  const key = keyOfResponse(id);
  const kept = key && (await getKept(deps, { keyId, key }));
  if (!kept) throw new DomainError('not_found');
  return kept;
}

/** Throws `not_found`. */
async function deleteResponse(deps: KeptDeps, { keyId }: Principal, id: string): Promise<void> {
  const key = keyOfResponse(id);
  if (!key || !(await deleteKept(deps, { keyId, key }))) throw new DomainError('not_found');
}

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
