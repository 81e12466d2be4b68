import { DomainError, type Principal } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { hashKey, isApiKey } from './key.ts';
import { keyCacheOf } from './key-cache.ts';
import { itemKeys, readItem } from './store.ts';

const bearer = /^Bearer +(\S+) *$/i;

/**
 * Who the `Authorization` header is from; `unauthorized` if nobody we know. What is no key of ours by its form costs
 * no request, a key seen in the last seconds neither.
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
  if (cached) return cached;
  // The age of what is cached counts from before the read: a revocation during it is not given more time.
  const readAt = deps.clock();
  const principal = await readPrincipal(deps, hash);
  if (!principal) throw new DomainError('unauthorized');
  cache.set(hash, principal, readAt);
  return principal;
}

async function readPrincipal(deps: TimedStoreDeps, hash: string): Promise<Principal | undefined> {
  const item = await readItem<Principal & { revokedAt?: string }>(deps, itemKeys.key(hash));
  if (!item || item.revokedAt !== undefined) return undefined;
  const { keyId, accountId, organisationId } = item;
  return { keyId, accountId, ...(organisationId !== undefined && { organisationId }) };
}
