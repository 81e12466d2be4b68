import { newId, putItem, toIso } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { itemKeys } from './store.ts';

/** Creates an organisation. With `subscription` it is metered for the work of its accounts, which need no credits. */
export async function createOrganisation(
  deps: TimedStoreDeps,
  input: { name: string; subscription: boolean },
): Promise<{ organisationId: string }> {
  const organisationId = newId('organisation');
  await putItem(deps, {
    condition: 'organisation-new',
    TableName: deps.tables.accounts,
    Item: {
      ...itemKeys.organisation(organisationId),
      organisationId,
      name: input.name,
      subscription: input.subscription,
      createdAt: toIso(deps.clock()),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return { organisationId };
}
