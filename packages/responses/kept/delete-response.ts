import { DomainError, type Principal } from '@errand/platform';
import { keyOfResponse } from '../ids.ts';
import { deleteKept, type KeptDeps } from './store.ts';

/** Throws `not_found`. */
export async function deleteResponse(deps: KeptDeps, { keyId }: Principal, id: string): Promise<void> {
  const key = keyOfResponse(id);
  if (!key || !(await deleteKept(deps, { keyId, key }))) throw new DomainError('not_found');
}
