import { readItem, type TimedStoreDeps } from '@errand/money';
import { DomainError, type Principal } from '@errand/platform';
import { hashKey, isApiKey } from './key.ts';
import { keyCacheOf, keyReadsOf } from './key-cache.ts';
import { isExpired } from './key-limits.ts';
import { itemKeys } from './store.ts';

const bearer = /^Bearer +(\S+) *$/i;

/**
 * The principal whose key is in the `Authorization` header. Throws `unauthorized` for a missing, malformed, unknown,
 * revoked, frozen or expired key. Malformed keys and keys read within `limits.keyCacheMilliseconds` cost no DynamoDB request.
 */
export async function authenticate(
  deps: TimedStoreDeps,
  authorizationHeader: string | undefined,
): Promise<Principal> {
  const key = bearer.exec(authorizationHeader ?? '')?.[1];
  if (key === undefined || !isApiKey(key)) throw new DomainError('unauthorized');
  const hash = hashKey(key);
  const cache = keyCacheOf(deps);
  const cached = cache.get(hash, deps.clock());
  if (cached && !isExpired(cached.limits, deps.clock())) return cached;
  // The age of the cache entry counts from before the read: a key may be revoked while it is read.
  const readAt = deps.clock();
  const principal = await readPrincipal(deps, hash);
  if (!principal || isExpired(principal.limits, deps.clock())) throw new DomainError('unauthorized');
  cache.set(hash, principal, readAt);
  keyReadsOf(deps).set(principal.keyId, { readAt, limits: principal.limits }, readAt);
  return principal;
}

type StoredKey = Principal & { revokedAt?: string; frozenAt?: string };

async function readPrincipal(deps: TimedStoreDeps, hash: string): Promise<Principal | undefined> {
  const item = await readItem<StoredKey>(deps, itemKeys.key(hash));
  if (!item?.accountId || item.revokedAt !== undefined || item.frozenAt !== undefined) return undefined;
  const { keyId, accountId, organisationId, limits } = item;
  return {
    keyId,
    accountId,
    organisationId,
    limits,
  };
}
