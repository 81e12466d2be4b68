import { ConditionsFailed, type NamedWrite, type TableNames, transact } from '@errand/platform';
import type { StoreDeps } from './deps.ts';
import { itemKeys } from './store.ts';

/** With an organisation, its subscription is metered instead of the account's credits. */
export interface Payer {
  accountId: string;
  organisationId?: string;
}

export type ChargeKind = 'completion' | 'vision' | 'transcription' | 'decision';

/** What work used, as a charge states it and the ledger keeps it. */
export interface Work {
  runId?: string;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  seconds?: number;
}

export interface Charge extends Work {
  /** The same id is charged once, however often it is written. */
  id: string;
  /** ISO 8601. */
  at: string;
  kind: ChargeKind;
  payer: Payer;
  model: string;
  /** Positive: costs. */
  amountNanoEuro: number;
}

export interface LedgerEntry extends Work {
  id: string;
  at: string;
  kind: ChargeKind | 'credit';
  accountId: string;
  /** Absent on a credit. */
  model?: string;
  /** A charge is negative, a credit positive. */
  amountNanoEuro: number;
}

/** Whose ledger: the organisation's where one is named, else the account's. */
export type LedgerOwner = Payer | { organisationId: string };

export const ledgerOf = (owner: LedgerOwner): string =>
  `LEDGER#${owner.organisationId ?? (owner as Payer).accountId}`;

/**
 * The charges' ledger entries and one update of the balance, for the caller's own transaction. A charge that was made
 * before fails the condition `charge-new:<id>`. An organisation has no balance to update: its sum is its entries'.
 */
export function chargeWrites(deps: { tables: TableNames }, charges: readonly Charge[]): NamedWrite[] {
  const spent = new Map<string, number>();
  for (const { payer, amountNanoEuro } of charges) {
    if (payer.organisationId !== undefined || amountNanoEuro === 0) continue;
    spent.set(payer.accountId, (spent.get(payer.accountId) ?? 0) + amountNanoEuro);
  }
  return [
    ...charges.map(({ payer, amountNanoEuro, ...entry }) =>
      entryWrite(deps, payer, {
        ...entry,
        accountId: payer.accountId,
        amountNanoEuro: -amountNanoEuro,
      }),
    ),
    ...[...spent].map(([accountId, amountNanoEuro]) => balanceWrite(deps, accountId, -amountNanoEuro)),
  ];
}

/** The charge in its own transaction. One that was made before is left as it is. */
export async function applyCharge(deps: StoreDeps, charge: Charge): Promise<void> {
  try {
    await transact(deps, chargeWrites(deps, [charge]));
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has(`charge-new:${charge.id}`)) return;
    throw error;
  }
}

export function entryWrite(deps: { tables: TableNames }, owner: LedgerOwner, entry: LedgerEntry): NamedWrite {
  const ledger = ledgerOf(owner);
  const { id, ...rest } = entry;
  return {
    condition: `charge-new:${id}`,
    Put: {
      TableName: deps.tables.accounts,
      Item: { ...itemKeys.ledgerEntry(ledger, id), ledger, ...rest },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

export function balanceWrite(deps: { tables: TableNames }, accountId: string, amountNanoEuro: number) {
  return {
    Update: {
      TableName: deps.tables.accounts,
      Key: itemKeys.balance(accountId),
      UpdateExpression: 'ADD balanceNanoEuro :amount',
      ExpressionAttributeValues: { ':amount': amountNanoEuro },
    },
  } satisfies NamedWrite;
}
