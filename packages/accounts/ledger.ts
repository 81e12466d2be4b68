import { ConditionsFailed, type NamedWrite, type TableNames, transact } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { itemKeys } from './store.ts';
import { timesOfEntry } from './usage/times.ts';

/** Who pays a charge: with an `organisationId` the organisation's subscription, otherwise the account's credits. */
export interface Payer {
  accountId: string;
  organisationId?: string;
}

export const chargeKinds = ['completion', 'vision', 'transcription', 'decision'] as const;

export type ChargeKind = (typeof chargeKinds)[number];

/** The usage for which a charge is made. */
export interface MeteredUsage {
  runId?: string;
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  /** Part of `outputTokens`, if the upstream reports them. */
  reasoningTokens?: number;
  seconds?: number;
}

/** Why a charge is what it is. Charges of earlier releases have none of it. */
export interface ChargeReasons {
  requestId?: string;
  keyId?: string;
  /** The step of the run. */
  step?: number;
  skill?: { id: string; name: string; version: number | null };
  /** The prices in EUR that were used. */
  price?: ChargedPrice;
  /** The host and model of the upstream that answered. For operators: callers are not told. */
  upstream?: string;
  /** In Wms. */
  energy?: number;
  /** In ugCO2e. */
  emissions?: number;
  /** The work was broken off before its answer was complete: the charge is for what is known of it. */
  brokenOff?: boolean;
}

/** Prices in EUR, as the catalogue has them. */
export interface ChargedPrice {
  /** The day from which they hold, in UTC: `2026-12-01`. */
  from?: string;
  inputPerMillionTokens?: number;
  cachedInputPerMillionTokens?: number;
  outputPerMillionTokens?: number;
  perSecond?: number;
}

export interface Charge extends MeteredUsage, ChargeReasons {
  /** Charges with the same id are one charge: it is made once, however often it is written. */
  id: string;
  /** ISO 8601. */
  at: string;
  kind: ChargeKind;
  payer: Payer;
  model: string;
  /** The price of the work: zero or positive. */
  amountNanoEuro: number;
}

export interface LedgerEntry extends MeteredUsage, ChargeReasons {
  id: string;
  at: string;
  /** When the entry was written, if that was in another hour than `at`. */
  writtenAt?: string;
  kind: ChargeKind | 'credit';
  accountId: string;
  /** Absent on a credit. */
  model?: string;
  /** A charge is negative, a credit positive. */
  amountNanoEuro: number;
}

/** The organisation if one is named, otherwise the account. */
export type LedgerOwner = Payer | { organisationId: string };

export const ledgerOf = (owner: LedgerOwner): string =>
  `LEDGER#${owner.organisationId ?? (owner as Payer).accountId}`;

/**
 * The ledger entries of the charges and one balance update per account, for the caller's own transaction. A charge
 * that was made before fails the condition `charge-new:<id>`. Organisations have no balance to update.
 */
export function chargeWrites(
  deps: Pick<TimedStoreDeps, 'tables' | 'clock'>,
  charges: readonly Charge[],
): NamedWrite[] {
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

/** Writes the charge in a transaction of its own; does nothing if a charge with this id was made before. */
export async function applyCharge(deps: TimedStoreDeps, charge: Charge): Promise<void> {
  try {
    await transact(deps, chargeWrites(deps, [charge]));
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has(`charge-new:${charge.id}`)) return;
    throw error;
  }
}

export function entryWrite(
  deps: Pick<TimedStoreDeps, 'tables' | 'clock'>,
  owner: LedgerOwner,
  entry: LedgerEntry,
): NamedWrite {
  const ledger = ledgerOf(owner);
  const { id, ...rest } = entry;
  return {
    condition: `charge-new:${id}`,
    Put: {
      TableName: deps.tables.accounts,
      Item: { ...itemKeys.ledgerEntry(ledger, id), ledger, ...rest, ...timesOfEntry(deps, entry.at) },
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
