import { DomainError, type Item, newId, toIso, transact } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { hashKey, newApiKey } from './key.ts';
import { type ItemKey, itemKeys, readItem } from './store.ts';
import { newItemWrite } from './writes.ts';

/** Creates a key. `key` is its text, which is stored nowhere. Throws `not_found` for an unknown account. */
export async function createKey(
  deps: TimedStoreDeps,
  input: { accountId: string; label: string },
): Promise<{ keyId: string; key: string }> {
  const { accountId, label } = input;
  const account = await readItem(deps, itemKeys.account(accountId));
  if (!account) throw new DomainError('not_found');
  const keyId = newId('key');
  const key = newApiKey();
  const hash = hashKey(key);
  const createdAt = toIso(deps.clock());
  const put = (item: ItemKey & Item) => newItemWrite(deps, 'key-new', item);
  const { organisationId } = account;
  await transact(deps, [
    put({
      ...itemKeys.key(hash),
      keyId,
      accountId,
      ...(organisationId !== undefined && { organisationId }),
      label,
      createdAt,
    }),
    put({ ...itemKeys.keyId(keyId), hash, accountId }),
    put({ ...itemKeys.accountKey(accountId, keyId), keyId, label, createdAt }),
  ]);
  return { keyId, key };
}
