import { ConditionsFailed, DomainError, updateItem } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys } from './store.ts';

/** Starts or ends the organisation's subscription. Throws `not_found` for an unknown organisation. */
export async function updateOrganisation(
  deps: StoreDeps,
  input: { organisationId: string; subscription: boolean },
): Promise<{ organisationId: string; subscription: boolean }> {
  const { organisationId, subscription } = input;
  try {
    await updateItem(deps, {
      condition: 'organisation-exists',
      TableName: deps.tables.accounts,
      Key: itemKeys.organisation(organisationId),
      UpdateExpression: 'SET subscription = :subscription',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':subscription': subscription },
    });
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new DomainError('not_found');
    throw error;
  }
  return { organisationId, subscription };
}
