import type { TimedStoreDeps } from '@errand/money';
import { newId, putItem, toIso } from '@errand/platform';
import { itemKeys } from './store.ts';
import { newItemWrite } from './writes.ts';

/** Creates an organisation. With `subscription` it is metered for the work of its accounts, which need no credits. */
export async function createOrganisation(
  deps: TimedStoreDeps,
  input: { name: string; subscription: boolean },
): Promise<{ organisationId: string }> {
  const organisationId = newId('organisation');
  const { condition, Put } = newItemWrite(deps, 'organisation-new', {
    ...itemKeys.organisation(organisationId),
    organisationId,
    name: input.name,
    subscription: input.subscription,
    createdAt: toIso(deps.clock()),
  });
  await putItem(deps, { condition, ...Put });
  return { organisationId };
}
