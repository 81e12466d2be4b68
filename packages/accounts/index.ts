export { authenticate } from './authenticate.ts';
export { createAccount } from './create-account.ts';
export { createKey } from './create-key.ts';
export { createOrganisation } from './create-organisation.ts';
export type { AccountsDeps } from './deps.ts';
export { type PayingEnv, requirePayingKey } from './door.ts';
export { countUnrouted, requireKey } from './edge.ts';
export { findUsageOwner, requireOrganisation } from './find-owner.ts';
export { freezeAccount, thawAccount } from './freeze-account.ts';
export {
  checkAgent,
  checkModel,
  checkModels,
  checkRoute,
  mayUse,
  mayUseAgent,
  mayUseModel,
} from './key-limits.ts';
export { listAccounts } from './list-accounts.ts';
export { type KeyListing, listKeys } from './list-keys.ts';
export { listOrganisations } from './list-organisations.ts';
export { revokeKey } from './revoke-key.ts';
export type { Organisation } from './store.ts';
export { changeLimits, type KeyChanges, updateKey } from './update-key.ts';
export { updateOrganisation } from './update-organisation.ts';
export { readKeyEnd, readKeyLimits, requireKeyStill, watchKey } from './watch-key.ts';
