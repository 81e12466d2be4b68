import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { localTableNames } from '@errand/platform';
import type { Upgraded } from './upgraded.ts';

/** A charge of an account's credits, as the release of 2026-11-22 has it. */
interface EarlierCharge {
  accountId: string;
  /** Charges with the same id are one charge. */
  id: string;
  /** ISO 8601. */
  at: string;
  amountNanoEuro: number;
}

/**
 * Makes a charge by the very writes of the release of 2026-11-22, whose functions may still run while a deploy puts new ones
 * beside them. Rejects with `TransactionCanceledException` if the charge was made before. Never to be changed.
 */
export async function chargeAsBefore(
  { clients }: Pick<Upgraded, 'clients'>,
  { accountId, id, at, amountNanoEuro }: EarlierCharge,
): Promise<void> {
  const TableName = localTableNames.accounts;
  const ledger = `LEDGER#${accountId}`;
  const entry = {
    pk: ledger,
    sk: id,
    ledger,
    at,
    kind: 'completion',
    model: 'writer',
    inputTokens: 100,
    cachedInputTokens: 0,
    outputTokens: 10,
    accountId,
    amountNanoEuro: -amountNanoEuro,
  };
  await clients.dynamodb.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: entry, ConditionExpression: 'attribute_not_exists(pk)' } },
        {
          Update: {
            TableName,
            Key: { pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' },
            UpdateExpression: 'ADD balanceNanoEuro :amount',
            ExpressionAttributeValues: { ':amount': -amountNanoEuro },
          },
        },
      ],
    }),
  );
}
