import { readItem, type TimedStoreDeps } from '@errand/money';
import { DomainError, type Principal } from '@errand/platform';
import { hashKey, isApiKey } from './key.ts';
import { keyCacheOf, keyReadsOf } from './key-cache.ts';
import { endOf, isExpired, type KeyStanding } from './key-limits.ts';
import { itemKeys } from './store.ts';

const bearer = /^Bearer +(\S+) *$/i;

/**
 * The principal whose key is in the `Authorization` header. Throws `unauthorized` for a missing, malformed, unknown,
 * revoked, frozen or expired key; for the last three with the key's end. Malformed keys and keys read within `limits.keyCacheMilliseconds` cost no DynamoDB request.
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
  const item = await readItem<Principal & KeyStanding>(deps, itemKeys.key(hash));
  if (!item?.accountId) throw new DomainError('unauthorized');
  const end = endOf(item, deps.clock());
  if (end) throw new DomainError('unauthorized', { end });
  const { keyId, accountId, organisationId, limits } = item;
  const principal = { keyId, accountId, organisationId, limits };
  cache.set(hash, principal, readAt);
  keyReadsOf(deps).set(principal.keyId, { readAt, limits: principal.limits }, readAt);
  return principal;
}
