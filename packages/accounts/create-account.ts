import { openingWrites, type TimedStoreDeps } from '@errand/money';
import { ConditionsFailed, DomainError, type NamedWrite, newId, toIso, transact } from '@errand/platform';
import { itemKeys } from './store.ts';
import { newItemWrite, organisationCheck } from './writes.ts';

interface NewAccount {
  name: string;
  creditsNanoEuro: number;
  organisationId?: string;
}

/**
 * Creates the account, its balance and the ledger entry of its first credits. Throws `not_found` for an unknown
 * organisation, and `invalid_request` for credits past the largest balance.
 */
export async function createAccount(
  deps: TimedStoreDeps,
  input: NewAccount,
): Promise<{ accountId: string; balanceNanoEuro: number }> {
  const accountId = newId('account');
  try {
    await transact(deps, accountWrites(deps, accountId, input));
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has('organisation-exists'))
      throw new DomainError('not_found');
    throw error;
  }
  return { accountId, balanceNanoEuro: input.creditsNanoEuro };
}

function accountWrites(deps: TimedStoreDeps, accountId: string, input: NewAccount): NamedWrite[] {
  const { name, creditsNanoEuro, organisationId } = input;
  const createdAt = toIso(deps.clock());
  return [
    newItemWrite(deps, 'account-new', {
      ...itemKeys.account(accountId),
      accountId,
      name,
      createdAt,
      ...(organisationId && { organisationId }),
    }),
    ...openingWrites(deps, { accountId, at: createdAt, creditsNanoEuro }),
    ...(organisationId ? [organisationCheck(deps, organisationId)] : []),
  ];
}
