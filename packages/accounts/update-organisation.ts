import type { StoreDeps } from '@errand/money';
import { type Organisation, type OrganisationChanges, setOrganisation } from './store.ts';

/**
 * Starts or ends the organisation's subscription, or bounds what its accounts may spend in a month. Throws `not_found`
 * for an unknown organisation.
 */
export const updateOrganisation = (
  deps: StoreDeps,
  { organisationId, ...changes }: OrganisationChanges & { organisationId: string },
): Promise<Organisation> => setOrganisation(deps, organisationId, changes);
