import { DomainError } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys, readItem } from './store.ts';

/** Throws `not_found` for an unknown organisation. */
export async function requireOrganisation(deps: StoreDeps, organisationId: string): Promise<void> {
  if (!(await readItem(deps, itemKeys.organisation(organisationId)))) throw new DomainError('not_found');
}
