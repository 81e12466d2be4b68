import { readItem, type TimedStoreDeps } from '@errand/money';
import { DomainError, type Principal } from '@errand/platform';
import type { Context } from 'hono';
import { hashKey, isApiKey } from './key.ts';
import { keyCacheOf, keyReadsOf } from './key-cache.ts';
import { endOf, isExpired, type KeyStanding } from './key-limits.ts';
import { itemKeys } from './store.ts';

const bearer = /^Bearer +(\S+) *$/i;

/** `authenticate` by the headers of a request. */
export const authenticateRequest = (deps: TimedStoreDeps, { req }: Context): Promise<Principal> =>
  authenticate(deps, req.header('Authorization'), req.header('X-Api-Key'));

/**
 * The principal whose key is in the `Authorization` header, or bare in `X-Api-Key`: the first that has the form of a key counts.
 * Throws `unauthorized` for a missing, malformed, unknown, revoked, frozen or expired key; for the last three with the key's end. Malformed keys and keys read within `limits.keyCacheMilliseconds` cost no DynamoDB request.
 */
export async function authenticate(
  deps: TimedStoreDeps,
  authorizationHeader: string | undefined,
  apiKeyHeader?: string,
): Promise<Principal> {
  const sent = [bearer.exec(authorizationHeader ?? '')?.[1], apiKeyHeader];
  const key = sent.find((each) => each !== undefined && isApiKey(each));
  if (key === undefined) throw new DomainError('unauthorized');
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
