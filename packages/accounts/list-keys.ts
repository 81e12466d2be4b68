import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreDeps } from './deps.ts';
import { itemKeys, readBalance } from './store.ts';

export interface KeyListing {
  keyId: string;
  label: string;
  createdAt: string;
  revokedAt?: string;
}

/** Every key of the account, revoked ones too, oldest first. Throws `not_found` for an unknown account. */
export async function listKeys(deps: StoreDeps, accountId: string): Promise<KeyListing[]> {
  await readBalance(deps, accountId);
  const { pk, sk: prefix } = itemKeys.accountKey(accountId, '');
  const pages = paginateQuery(
    { client: deps.dynamodb },
    {
      TableName: deps.tables.accounts,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ConsistentRead: true,
    },
  );
  const keys: KeyListing[] = [];
  for await (const page of pages) keys.push(...(page.Items ?? []).map(toListing));
  return keys.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
}

const toListing = ({ keyId, label, createdAt, revokedAt }: Record<string, string>): KeyListing => ({
  keyId: keyId!,
  label: label!,
  createdAt: createdAt!,
  ...(revokedAt !== undefined && { revokedAt }),
});
