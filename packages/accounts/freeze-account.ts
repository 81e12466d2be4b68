import type { TimedStoreDeps } from '@errand/money';
import { batchGet, limits, toIso, transact } from '@errand/platform';
import { keyCacheOf } from './key-cache.ts';
import { itemKeys, queryKeys, setFrozen } from './store.ts';
import { freezeWrite, frozenCheck } from './writes.ts';

/** An account's keys when it was frozen or thawed. */
interface FrozenAccount {
  accountId: string;
  keyIds: string[];
}

/**
 * Freezes the account: none of its keys works any more, those that are made later included. This process refuses them
 * at once, others within `limits.keyCacheMilliseconds`. May be repeated, also after a half-done one. Throws `not_found`
 * for an unknown account, and `ConditionsFailed` if the account is thawed meanwhile.
 */
export const freezeAccount = async (
  deps: TimedStoreDeps,
  accountId: string,
): Promise<FrozenAccount & { frozenAt: string }> => {
  const now = toIso(deps.clock());
  const frozenAt = (await setFrozen(deps, accountId, now)) ?? now;
  return { accountId, frozenAt, keyIds: await stampKeys(deps, accountId, frozenAt) };
};

/** Lets the account's keys work again, apart from revoked ones. Throws as `freezeAccount` does. */
export const thawAccount = async (deps: TimedStoreDeps, accountId: string): Promise<FrozenAccount> => {
  await setFrozen(deps, accountId, undefined);
  return { accountId, keyIds: await stampKeys(deps, accountId, undefined) };
};

/** A transaction has one check of the account, and two copies of each key. */
const keysPerTransaction = Math.floor((limits.transactionItems - 1) / 2);

/** Marks all keys as their account is marked. Keys created meanwhile have the account's mark from the start. */
async function stampKeys(
  deps: TimedStoreDeps,
  accountId: string,
  frozenAt: string | undefined,
): Promise<string[]> {
  const keyIds = (await queryKeys<{ keyId: string }>(deps, accountId)).map(({ keyId }) => keyId);
  for (let at = 0; at < keyIds.length; at += keysPerTransaction) {
    const some = keyIds.slice(at, at + keysPerTransaction);
    const items = await batchGet<{ hash: string }>(deps, deps.tables.accounts, some.map(itemKeys.keyId));
    const hashes = items.map(({ hash }) => hash);
    const copies = [
      ...hashes.map(itemKeys.key),
      ...some.map((keyId) => itemKeys.accountKey(accountId, keyId)),
    ];
    await transact(deps, [
      frozenCheck(deps, accountId, frozenAt),
      ...copies.map((copy) => freezeWrite(deps, copy, frozenAt)),
    ]);
    for (const hash of hashes) keyCacheOf(deps).delete(hash);
  }
  return keyIds;
}
