import { readItem, type StoreDeps, type UsageOwner } from '@errand/money';
import { DomainError } from '@errand/platform';
import { itemKeys } from './store.ts';

/** Throws `not_found` for an unknown organisation. */
export async function requireOrganisation(deps: StoreDeps, organisationId: string): Promise<void> {
  if (!(await readItem(deps, itemKeys.organisation(organisationId)))) throw new DomainError('not_found');
}

/**
 * Finds the account or organisation whose usage is meant; an account comes with its organisation. Throws
 * `not_found` for an unknown account or organisation.
 */
export async function findUsageOwner(
  deps: StoreDeps,
  owner: { accountId: string } | { organisationId: string },
): Promise<UsageOwner> {
  if ('organisationId' in owner) {
    await requireOrganisation(deps, owner.organisationId);
    return owner;
  }
  const account = await readItem<{ organisationId?: string }>(deps, itemKeys.account(owner.accountId));
  if (!account) throw new DomainError('not_found');
  return { ...owner, organisationId: account.organisationId };
}
