import { listKeys, requireOrganisation } from '@errand/accounts';
import type { Owner } from '@errand/versions';
import type { Store } from '../command.ts';
import { noAccount, noOrganisation, orRefuse, Refusal, UsageError } from '../refusal.ts';

export const ownerOptions = [
  '--scope <organisation|provider|user>',
  '[--organisation <ORG>]',
  '[--account <A>]',
] as const;

interface OwnerValues {
  scope: string;
  organisation?: string;
  account?: string;
}

/** The option that names the owner in each scope. */
const ownerOption = { organisation: 'organisation', user: 'account', provider: undefined } as const;

type Scope = keyof typeof ownerOption;

const isScope = (scope: string): scope is Scope => Object.hasOwn(ownerOption, scope);

/** Throws `UsageError` for an unknown scope, a missing owner, and an owner that the scope does not have. */
export function checkOwner(values: OwnerValues): void {
  const { scope } = values;
  if (!isScope(scope)) throw new UsageError('--scope must be organisation, provider or user');
  for (const option of ['organisation', 'account'] as const) {
    const needed = ownerOption[scope] === option;
    if (needed && !values[option]) throw new UsageError(`--${option} is missing`);
    if (!needed && values[option] !== undefined)
      throw new UsageError(`--${option} does not go with --scope ${scope}`);
  }
}

/** The owner that the options name. Throws `Refusal` if it does not exist. */
export async function findOwner(store: Store, { scope, organisation, account }: OwnerValues): Promise<Owner> {
  if (organisation !== undefined) {
    await orRefuse(requireOrganisation(store, organisation), noOrganisation(organisation));
    return { scope: 'organisation', organisationId: organisation };
  }
  if (account !== undefined) {
    await orRefuse(listKeys(store, account), noAccount(account));
    return { scope: 'user', accountId: account };
  }
  if (scope !== 'provider') throw new Refusal(`There is no scope ${scope}.`);
  return { scope: 'provider' };
}
