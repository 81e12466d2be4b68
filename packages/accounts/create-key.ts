import { type ItemKey, readItem, type TimedStoreDeps } from '@errand/money';
import {
  ConditionsFailed,
  DomainError,
  type Item,
  type KeyLimits,
  newId,
  toIso,
  transact,
} from '@errand/platform';
import { hashKey, newApiKey } from './key.ts';
import { itemKeys } from './store.ts';
import { frozenCheck, newItemWrite } from './writes.ts';

interface NewKey {
  keyId: string;
  /** The key's text, which is stored nowhere. */
  key: string;
  /** A key of a frozen account is frozen too. */
  frozenAt?: string;
}

interface KeyInput {
  accountId: string;
  label: string;
  limits?: KeyLimits;
}

/** Creates a key. Throws `not_found` for an unknown account. */
export async function createKey(deps: TimedStoreDeps, input: KeyInput): Promise<NewKey> {
  for (;;) {
    const account = await readItem<StoredAccount>(deps, itemKeys.account(input.accountId));
    if (!account) throw new DomainError('not_found');
    try {
      return await writeKey(deps, account, input);
    } catch (error) {
      // The account was frozen or thawed since it was read.
      if (!(error instanceof ConditionsFailed && error.has('account-unchanged'))) throw error;
    }
  }
}

interface StoredAccount {
  organisationId?: string;
  frozenAt?: string;
}

async function writeKey(
  deps: TimedStoreDeps,
  { organisationId, frozenAt }: StoredAccount,
  { accountId, label, limits }: KeyInput,
): Promise<NewKey> {
  const keyId = newId('key');
  const key = newApiKey();
  const hash = hashKey(key);
  const createdAt = toIso(deps.clock());
  const frozen = frozenAt !== undefined && { frozenAt };
  const limited = limits && Object.keys(limits).length > 0 && { limits };
  const put = (item: ItemKey & Item) => newItemWrite(deps, 'key-new', { ...item, ...limited, ...frozen });
  await transact(deps, [
    frozenCheck(deps, accountId, frozenAt),
    put({
      ...itemKeys.key(hash),
      keyId,
      accountId,
      ...(organisationId !== undefined && { organisationId }),
      label,
      createdAt,
    }),
    newItemWrite(deps, 'key-new', { ...itemKeys.keyId(keyId), hash, accountId }),
    put({ ...itemKeys.accountKey(accountId, keyId), keyId, label, createdAt }),
  ]);
  return { keyId, key, ...frozen };
}
