import type { StoreDeps } from './deps.ts';
import { setSubscription } from './store.ts';

/** Starts or ends the organisation's subscription. Throws `not_found` for an unknown organisation. */
export async function updateOrganisation(
  deps: StoreDeps,
  input: { organisationId: string; subscription: boolean },
): Promise<{ organisationId: string; subscription: boolean }> {
  const { organisationId, subscription } = input;
  await setSubscription(deps, organisationId, subscription);
  return { organisationId, subscription };
}
