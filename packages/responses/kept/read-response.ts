import { DomainError, type Principal } from '@errand/platform';
import { keyOfResponse } from '../ids.ts';
import { getKept, type KeptDeps, type KeptResponse } from './store.ts';

/** Throws `not_found`, which does not tell a response of another key from one that is missing. */
export async function readResponse(
  deps: KeptDeps,
  { keyId }: Pick<Principal, 'keyId'>,
  id: string,
): Promise<KeptResponse> {
  const key = keyOfResponse(id);
  const kept = key && (await getKept(deps, { keyId, key }));
  if (!kept) throw new DomainError('not_found');
  return kept;
}
