import { mayUseModel } from '@errand/accounts';
import { type Catalogue, findModel, type Model, roleModel } from '@errand/models';
import { fieldIssue, type Principal } from '@errand/platform';
import type { CreateRunBody } from '../schema.ts';

interface ChoiceDeps {
  catalogue: Catalogue;
  /** Whether the claims of a run are checked whose creation does not say. */
  runProof: boolean;
}

/**
 * The model that works on the question: the one that the creation names, or the service's own. Undefined if there is none.
 * Throws `invalid_request` for a model that cannot work on runs.
 */
export function chooseModel({ catalogue }: ChoiceDeps, { model: id }: CreateRunBody): Model | undefined {
  if (id !== undefined) return namedModel(catalogue, id);
  const own = roleModel(catalogue, 'reasoning');
  if (own && !own.capabilities.tools)
    throw fieldIssue('model', `is required: ${own.id}, which works on runs here, takes no tools`);
  return own;
}

function namedModel(catalogue: Catalogue, id: string): Model {
  const found = findModel(catalogue, id);
  if (!found) throw fieldIssue('model', 'is none of the models that this service has');
  const { model, compressed } = found;
  if (compressed) throw fieldIssue('model', `is a compressed variant: name ${model.id}`);
  if (model.kind !== 'chat' && model.kind !== 'vision')
    throw fieldIssue('model', `must be a chat or vision model: ${model.id} is a ${model.kind} model`);
  if (!model.capabilities.tools) throw fieldIssue('model', `must take tools: ${model.id} takes none`);
  return model;
}

/**
 * The model that checks the claims of the run; undefined if they are not checked. Throws `invalid_request` if the creation asks
 * for what the service does not have. Where the deployment asks, a key that may not use the model gets no proof.
 */
export function chooseJudge(
  { catalogue, runProof }: ChoiceDeps,
  principal: Principal,
  { proof }: CreateRunBody,
): Model | undefined {
  const judge = roleModel(catalogue, 'decision');
  if (proof && !judge) throw fieldIssue('proof', 'needs a decision model, and this service has none');
  if (proof !== undefined) return proof ? judge : undefined;
  return runProof && judge && mayUseModel(principal, judge.id) ? judge : undefined;
}
