import { readItem, type TimedStoreDeps } from '@errand/money';
import { DomainError, toIso, transact } from '@errand/platform';
import { keyCacheOf } from './key-cache.ts';
import { itemKeys } from './store.ts';
import { revokeWrite } from './writes.ts';

/**
 * Revokes the key. This process refuses it at once, others within `limits.keyCacheMilliseconds`. A key that was
 * revoked before keeps its first `revokedAt`. Throws `not_found` for an unknown key.
 */
export async function revokeKey(
  deps: TimedStoreDeps,
  keyId: string,
): Promise<{ keyId: string; revokedAt: string }> {
  const item = await readItem<{ hash: string; accountId: string }>(deps, itemKeys.keyId(keyId));
  if (!item) throw new DomainError('not_found');
  const { hash, accountId } = item;
  const revokedAt = toIso(deps.clock());
  const copies = [itemKeys.key(hash), itemKeys.accountKey(accountId, keyId)];
  await transact(
    deps,
    copies.map((copy) => revokeWrite(deps, copy, revokedAt)),
  );
  keyCacheOf(deps).delete(hash);
  const revoked = await readItem<{ revokedAt: string }>(deps, itemKeys.key(hash));
  return { keyId, revokedAt: revoked?.revokedAt ?? revokedAt };
}
