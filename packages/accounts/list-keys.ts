import { readBalance, type StoreDeps } from '@errand/money';
import type { KeyLimits } from '@errand/platform';
import { queryKeys } from './store.ts';

export interface KeyListing {
  keyId: string;
  label: string;
  createdAt: string;
  revokedAt?: string;
  /** Present while the account is frozen. */
  frozenAt?: string;
  limits?: KeyLimits;
}

/** Every key of the account, revoked ones too, oldest first. Throws `not_found` for an unknown account. */
export async function listKeys(deps: StoreDeps, accountId: string): Promise<KeyListing[]> {
  await readBalance(deps, accountId);
  const keys = (await queryKeys<KeyListing>(deps, accountId)).map(toListing);
  return keys.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}

/** What is shown of a key's item. */
export const toListing = ({
  keyId,
  label,
  createdAt,
  revokedAt,
  frozenAt,
  limits,
}: KeyListing): KeyListing => ({
  keyId,
  label,
  createdAt,
  revokedAt,
  frozenAt,
  limits,
});
