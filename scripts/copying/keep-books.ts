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
 * Makes every balance of a table of accounts what its ledger says, and revokes a key of which one item says so. A restore may
 * cut through the writes of a transaction, and entries may have been added since. Returns the number of accounts.
 */
export async function keepBooks(
  dynamodb: DynamoDBDocumentClient,
  { table, current }: Books,
): Promise<number> {
  const { sums, accountIds, keys } = await readBooks(dynamodb, table);
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
  await revokeAll(dynamodb, table, keys);
  return accountIds.length;
}

interface KeyItem {
  key: { pk: string; sk: string };
  revokedAt?: string;
}

/** The sum of each account's ledger, the accounts, and the items of each key that say whether it is revoked. */
async function readBooks(dynamodb: DynamoDBDocumentClient, table: string) {
  const sums = new Map<string, number>();
  const accountIds: string[] = [];
  const keys = new Map<string, KeyItem[]>();
  const ledger = itemKeys.ledgerEntry('LEDGER#', '').pk;
  const { pk: account, sk: itself } = itemKeys.account('');
  const pages = scanPages<{
    pk: string;
    sk: string;
    keyId?: string;
    amountNanoEuro?: number;
    revokedAt?: string;
  }>({ dynamodb }, { TableName: table, ProjectionExpression: 'pk, sk, keyId, amountNanoEuro, revokedAt' });
  for await (const page of pages)
    for (const { pk, sk, keyId = '', amountNanoEuro = 0, revokedAt } of page) {
      if (pk.startsWith(ledger)) {
        const id = pk.slice(ledger.length);
        sums.set(id, (sums.get(id) ?? 0) + Number(amountNanoEuro));
      } else if (pk.startsWith(account) && sk === itself) accountIds.push(pk.slice(account.length));
      else if (pk.startsWith('KEY#') || sk.startsWith('KEY#'))
        keys.set(keyId, [...(keys.get(keyId) ?? []), { key: { pk, sk }, revokedAt }]);
    }
  return { sums, accountIds, keys };
}

async function revokeAll(
  dynamodb: DynamoDBDocumentClient,
  table: string,
  keys: ReadonlyMap<string, readonly KeyItem[]>,
): Promise<void> {
  for (const items of keys.values()) {
    const revokedAt = items.find((item) => item.revokedAt !== undefined)?.revokedAt;
    const live = items.filter((item) => item.revokedAt === undefined).map(({ key }) => key);
    if (revokedAt === undefined || live.length === 0) continue;
    const found = await batchGet({ dynamodb }, table, live);
    await batchPut(
      { dynamodb },
      table,
      found.map((item): Item => ({ ...item, revokedAt })),
    );
  }
}
