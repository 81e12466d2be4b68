import { ConditionsFailed, type NamedWrite, type Price, transact } from '@errand/platform';
import type { TimedStoreDeps } from './deps.ts';
import { type Reservation, readReservation } from './purse/reservation.ts';
import { holdsUnchanged, type Settlement, settlementWrite } from './purse/store.ts';
import { type ItemKey, itemKeys, readItem } from './store.ts';
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
  /** Part of `inputTokens`, apart from `cachedInputTokens`. */
  cacheWriteTokens?: number;
  outputTokens?: number;
  /** Part of `outputTokens`, if the upstream reports them. */
  reasoningTokens?: number;
  seconds?: number;
}

/** The usage of an entry, in the order of its view. */
export const usageFields = [
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
  'seconds',
] as const satisfies (keyof MeteredUsage)[];

/** Why a charge is what it is. Charges of earlier releases have none of it. */
export interface ChargeReasons {
  requestId?: string;
  keyId?: string;
  /** The step of the run. */
  step?: number;
  skill?: { id?: string; name: string; version?: number };
  /** The prices in EUR that were used. */
  price?: Price;
  /** The host and model of the upstream that answered. For operators: callers are not told. */
  upstream?: string;
  /** In Wms. */
  energy?: number;
  /** In ugCO2e. */
  emissions?: number;
  /** The work was broken off before its answer was complete: the charge is for what is known of it. */
  brokenOff?: boolean;
  /** The part of the price that is not charged, because nothing was there to pay for it. */
  writtenOffNanoEuro?: number;
}

export interface Charge extends MeteredUsage, ChargeReasons {
  /** Charges with the same id are one charge: it is made once, however often it is written. */
  id: string;
  /** ISO 8601. */
  at: string;
  kind: ChargeKind;
  payer: Payer;
  model: string;
  /** The price of the work: zero or positive, but for the rest of a call that was charged too much. */
  amountNanoEuro: number;
  /** What was set aside for the work. It ends with the charge. */
  reservation?: Reservation;
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

type EntryDeps = Pick<TimedStoreDeps, 'tables' | 'clock'>;

/**
 * The ledger entries of the charges, and one update of each purse that they are paid from, for the caller's own transaction.
 * What was set aside for them is given back in the same. A charge that was made before fails the condition
 * `charge-new:<id>`, one whose reservation has ended by itself the condition `holdsUnchanged`. `released` are reservations
 * of work that cost nothing.
 */
export function chargeWrites(
  deps: EntryDeps,
  charges: readonly Charge[],
  released: readonly Reservation[] = [],
): NamedWrite[] {
  return [
    ...charges.map(({ payer, amountNanoEuro, reservation: _, ...entry }) =>
      entryWrite(deps, payer, { ...entry, accountId: payer.accountId, amountNanoEuro: -amountNanoEuro }),
    ),
    ...settlementWrites(deps, charges, released),
  ];
}

/** The purses that the charges change, each once: an item may occur once in a transaction. */
function settlementWrites(
  deps: EntryDeps,
  charges: readonly Charge[],
  released: readonly Reservation[],
): NamedWrite[] {
  const purses = new Map<string, { key: ItemKey; settlement: Settlement }>();
  const of = (key: ItemKey): Settlement => {
    const settlement: Settlement = { spentNanoEuro: 0, spentOfBudgets: new Map(), holds: new Map() };
    const found = purses.get(key.pk) ?? { key, settlement };
    purses.set(key.pk, found);
    return found.settlement;
  };
  const end = ({ id, parts }: Reservation, spent: number) => {
    for (const { key, hold, isGone } of parts) {
      const { spentOfBudgets, holds } = of(key);
      if (!isGone) holds.set(id, hold);
      if (!hold.budget) continue;
      const { name } = hold.budget;
      spentOfBudgets.set(name, (spentOfBudgets.get(name) ?? 0) + spent);
    }
  };
  for (const { payer, amountNanoEuro, reservation } of charges) {
    if (payer.organisationId === undefined)
      of(itemKeys.balance(payer.accountId)).spentNanoEuro += amountNanoEuro;
    if (reservation) end(reservation, amountNanoEuro);
  }
  for (const reservation of released) end(reservation, 0);
  return [...purses.values()].flatMap(({ key, settlement }) => settlementWrite(deps, key, settlement) ?? []);
}

/**
 * Writes the charge in a transaction of its own; does nothing if a charge with this id was made before. If its reservation
 * has ended by itself, what was charged then is subtracted.
 */
export async function applyCharge(deps: TimedStoreDeps, charge: Charge): Promise<void> {
  try {
    await transact(deps, chargeWrites(deps, await withoutDrafts(deps, [charge])));
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    if (error.has(`charge-new:${charge.id}`)) return;
    if (!error.has(holdsUnchanged)) throw error;
    const [now] = await withPresentHolds(deps, [charge]);
    await transact(deps, chargeWrites(deps, [now!])).catch((failure: unknown) => {
      if (!(failure instanceof ConditionsFailed && failure.has(`charge-new:${charge.id}`))) throw failure;
    });
  }
}

/**
 * The charges with their holds as they are in the store: another one if a renewal was under way, or none. What was charged
 * when a hold ended by itself is subtracted.
 */
export const withPresentHolds = (deps: TimedStoreDeps, charges: readonly Charge[]): Promise<Charge[]> =>
  Promise.all(
    charges.map(async (charge) => {
      if (!charge.reservation) return charge;
      const reservation = await readReservation(deps, charge.reservation);
      const isGone = reservation.parts.some((part) => part.isGone);
      return isGone ? withoutDraft(deps, { ...charge, reservation }) : { ...charge, reservation };
    }),
  );

/** The id of what is charged for a call whose process died. */
export const draftId = (chargeId: string): string => `${chargeId}:draft`;

/** The charges, without what was charged of those whose process has noticed that their reservation ended by itself. */
export const withoutDrafts = (deps: TimedStoreDeps, charges: readonly Charge[]): Promise<Charge[]> =>
  Promise.all(
    charges.map(async (charge) =>
      charge.reservation?.parts.some(({ isGone }) => isGone) ? withoutDraft(deps, charge) : charge,
    ),
  );

/**
 * What is left to charge for a call of which a part was charged when its reservation ended. Less than nothing if the call cost
 * less than was known of it then: the two entries are the call.
 */
async function withoutDraft(deps: TimedStoreDeps, charge: Charge): Promise<Charge> {
  const key = itemKeys.ledgerEntry(ledgerOf(charge.payer), draftId(charge.id));
  const drafted = await readItem<LedgerEntry>(deps, key);
  if (!drafted) return charge;
  const rest = measures.flatMap((name) =>
    charge[name] === undefined ? [] : [[name, charge[name] - (drafted[name] ?? 0)]],
  );
  const amountNanoEuro = charge.amountNanoEuro + drafted.amountNanoEuro;
  return { ...charge, ...Object.fromEntries(rest), amountNanoEuro };
}

/** What a charge measures. A draft has a part of each. */
const measures = [...usageFields, 'energy', 'emissions'] as const satisfies (keyof Charge)[];

export function entryWrite(deps: EntryDeps, owner: LedgerOwner, entry: LedgerEntry): NamedWrite {
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
