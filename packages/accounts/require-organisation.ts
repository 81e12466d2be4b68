import { DomainError } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys, readItem } from './store.ts';

/** `not_found` if there is no such organisation. */
export async function requireOrganisation(deps: StoreDeps, organisationId: string): Promise<void> {
  if (!(await readItem(deps, itemKeys.organisation(organisationId)))) throw new DomainError('not_found');
}
