import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { itemKeys, rebuildPurse } from '@errand/money';
import { batchGet, batchPut, type Item, scanPages } from '@errand/platform';

interface Books {
  /** The restored table. */
  table: string;
  /** The table whose purses know the calls in work. Absent: none is in work. */
  current?: string;
}

const accountsAtOnce = 100;

/**
 * Makes every balance of a table of accounts what its ledger says, revokes a key of which one item says so, and freezes the keys
 * of frozen accounts. A restore may cut through the writes of a transaction, and entries may have been added since. Returns the
 * number of accounts.
 */
export async function keepBooks(
  dynamodb: DynamoDBDocumentClient,
  { table, current }: Books,
): Promise<number> {
  const { sums, accountIds, frozen, keys } = await readBooks(dynamodb, table);
  for (let at = 0; at < accountIds.length; at += accountsAtOnce) {
    const some = accountIds.slice(at, at + accountsAtOnce);
    const pursesOf = async (from: string) => {
      const items = await batchGet({ dynamodb }, from, some.map(itemKeys.balance));
      return new Map(items.map((item) => [item.pk, item]));
    };
    const [restored, newest] = await Promise.all([pursesOf(table), current ? pursesOf(current) : undefined]);
    const purses = some.map((accountId) => {
      const key = itemKeys.balance(accountId);
      const known = newest?.get(key.pk);
      const balanceNanoEuro = sums.get(accountId) ?? 0;
      return rebuildPurse(known ?? restored.get(key.pk) ?? key, { balanceNanoEuro, isOld: !known });
    });
    await batchPut({ dynamodb }, table, purses);
  }
  await stopKeys(dynamodb, table, { frozen, keys });
  return accountIds.length;
}

interface KeyItem {
  key: { pk: string; sk: string };
  accountId: string;
  revokedAt?: string;
  frozenAt?: string;
}

/** The sum of each account's ledger, the accounts, since when some are frozen, and the items of each key that say whether it works. */
async function readBooks(dynamodb: DynamoDBDocumentClient, table: string) {
  const sums = new Map<string, number>();
  const accountIds: string[] = [];
  const frozen = new Map<string, string>();
  const keys = new Map<string, KeyItem[]>();
  const ledger = itemKeys.ledgerEntry('LEDGER#', '').pk;
  const { pk: account, sk: itself } = itemKeys.account('');
  const pages = scanPages<{
    pk: string;
    sk: string;
    keyId?: string;
    accountId?: string;
    amountNanoEuro?: number;
    revokedAt?: string;
    frozenAt?: string;
  }>(
    { dynamodb },
    {
      TableName: table,
      ProjectionExpression: 'pk, sk, keyId, accountId, amountNanoEuro, revokedAt, frozenAt',
    },
  );
  for await (const page of pages)
    for (const { pk, sk, keyId = '', amountNanoEuro = 0, ...said } of page) {
      if (pk.startsWith(ledger)) {
        const id = pk.slice(ledger.length);
        sums.set(id, (sums.get(id) ?? 0) + Number(amountNanoEuro));
        continue;
      }
      const { accountId = pk.slice(account.length), revokedAt, frozenAt } = said;
      if (pk.startsWith(account) && sk === itself) {
        accountIds.push(accountId);
        if (frozenAt !== undefined) frozen.set(accountId, frozenAt);
      } else if (pk.startsWith('KEY#') || sk.startsWith('KEY#'))
        keys.set(keyId, [...(keys.get(keyId) ?? []), { key: { pk, sk }, accountId, revokedAt, frozenAt }]);
    }
  return { sums, accountIds, frozen, keys };
}

async function stopKeys(
  dynamodb: DynamoDBDocumentClient,
  table: string,
  { frozen, keys }: Pick<Awaited<ReturnType<typeof readBooks>>, 'frozen' | 'keys'>,
): Promise<void> {
  for (const items of keys.values()) {
    const revokedAt = items.find((item) => item.revokedAt !== undefined)?.revokedAt;
    const frozenAt = items.map(({ accountId }) => frozen.get(accountId)).find((at) => at !== undefined);
    const working = items.filter((item) => (revokedAt && !item.revokedAt) || (frozenAt && !item.frozenAt));
    if (working.length === 0) continue;
    const marks = { ...(revokedAt && { revokedAt }), ...(frozenAt && { frozenAt }) };
    const found = await batchGet(
      { dynamodb },
      table,
      working.map(({ key }) => key),
    );
    await batchPut(
      { dynamodb },
      table,
      found.map((item): Item => ({ ...marks, ...item })),
    );
  }
}
