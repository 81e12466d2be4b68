import { ConditionsFailed, type NamedWrite, transact } from '@errand/platform';
import { type Charge, type ChargeKind, measures, type Payer } from './charge.ts';
import type { TimedStoreDeps } from './deps.ts';
import { roomOf } from './purse/cover-price.ts';
import { type Reservation, readReservation } from './purse/reservation.ts';
import { holdsUnchanged, type Settlement, settlementWrite } from './purse/store.ts';
import { type ItemKey, itemKeys, readItem } from './store.ts';
import { timesOfEntry } from './usage/times.ts';

/** A charge or a credit. Charges of earlier releases say less. */
export interface LedgerEntry extends Omit<Charge, 'kind' | 'payer' | 'reservation'> {
  /** When the entry was written, if that was in another hour than `at`. */
  writtenAt?: string;
  kind: ChargeKind | 'credit';
  accountId: string;
  /** A charge is negative, a credit positive. */
  amountNanoEuro: number;
}

/** The organisation if one is named, otherwise the account. */
export type LedgerOwner = Payer | { organisationId: string };

export const ledgerOf = (owner: LedgerOwner): string =>
  `LEDGER#${owner.organisationId ?? (owner as Payer).accountId}`;

type EntryDeps = Pick<TimedStoreDeps, 'tables' | 'clock'>;

/**
 * The ledger entries of the charges, and one update of each purse that they are paid from, for the caller's own
 * transaction. What was set aside for the charges is given back in the same transaction. A charge that was made
 * before fails the condition `charge-new:<id>`, a charge whose reservation has ended by itself fails the condition
 * `holdsUnchanged`. `released` are reservations of work that cost nothing. With `isBounded`, a charge whose reservation is known
 * to have ended fails that condition too, unless the purses have what it takes.
 */
export function chargeWrites(
  deps: EntryDeps,
  charges: readonly Charge[],
  released: readonly Reservation[] = [],
  isBounded = false,
): NamedWrite[] {
  return [
    ...charges.map(({ payer, amountNanoEuro, reservation: _, ...entry }) =>
      entryWrite(deps, payer, { ...entry, accountId: payer.accountId, amountNanoEuro: -amountNanoEuro }),
    ),
    ...settlementWrites(deps, charges, released, isBounded),
  ];
}

/** The purses that the charges change, each once: an item may occur once in a transaction. */
function settlementWrites(
  deps: EntryDeps,
  charges: readonly Charge[],
  released: readonly Reservation[],
  isBounded: boolean,
): NamedWrite[] {
  const purses = new Map<string, { key: ItemKey; settlement: Settlement }>();
  const of = (key: ItemKey): Settlement => {
    const settlement: Settlement = {
      spentNanoEuro: 0,
      spentOfBudgets: new Map(),
      holds: new Map(),
      anew: [],
    };
    const found = purses.get(key.pk) ?? { key, settlement };
    purses.set(key.pk, found);
    return found.settlement;
  };
  const end = ({ id, parts }: Reservation, spent: number) => {
    for (const { key, hold, isGone, fromBalance, budgetLimit } of parts) {
      const { spentOfBudgets, holds, anew } = of(key);
      if (!isGone) holds.set(id, hold);
      else if (isBounded && spent > 0)
        anew.push({ nanoEuro: spent, fromBalance, budget: hold.budget?.name, budgetLimit });
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
 * Writes charges, and what else is to be written with them, in one transaction. Where a reservation has ended by itself or was
 * renewed meanwhile, a second attempt takes the reservations as they are in the store by then. What was charged when a
 * reservation ended is subtracted in each attempt, from the whole charge. Charges that are written alone are bounded by what
 * the purses have, if their reservation has ended; those of a run are a part of what the run has recorded.
 */
export async function transactCharges(
  deps: TimedStoreDeps,
  charges: readonly Charge[],
  { writes = [], released = [] }: { writes?: readonly NamedWrite[]; released?: readonly Reservation[] } = {},
): Promise<void> {
  const isBounded = writes.length === 0;
  try {
    const due = await withoutDrafts(deps, charges);
    await transact(deps, [...writes, ...chargeWrites(deps, due, released, isBounded)]);
  } catch (error) {
    const isHoldGone =
      error instanceof ConditionsFailed && error.conditions.every((one) => one === holdsUnchanged);
    if (!isHoldGone) throw error;
    const [present, still] = await Promise.all([
      withPresentHolds(deps, charges, isBounded),
      Promise.all(released.map((reservation) => readReservation(deps, reservation))),
    ]);
    await transact(deps, [...writes, ...chargeWrites(deps, present, still, isBounded)]);
  }
}

/**
 * Writes the charge in a transaction of its own; does nothing if a charge with this id was made before. If its reservation
 * has ended by itself, what was charged then is subtracted.
 */
export async function applyCharge(deps: TimedStoreDeps, charge: Charge): Promise<void> {
  try {
    await transactCharges(deps, [charge]);
  } catch (error) {
    if (!(error instanceof ConditionsFailed && error.has(`charge-new:${charge.id}`))) throw error;
  }
}

/**
 * The charges with their holds as they are in the store: a hold may have changed by a renewal under way, or be
 * gone. What was charged when a hold ended by itself is subtracted; with `isBounded`, what nobody has set aside any more
 * and the purses do not have is written off.
 */
const withPresentHolds = (
  deps: TimedStoreDeps,
  charges: readonly Charge[],
  isBounded: boolean,
): Promise<Charge[]> =>
  Promise.all(
    charges.map(async (charge) => {
      if (!charge.reservation) return charge;
      const reservation = await readReservation(deps, charge.reservation);
      const present = { ...charge, reservation };
      const gone = reservation.parts.filter((part) => part.isGone);
      if (gone.length === 0) return present;
      const due = await withoutDraft(deps, present);
      return isBounded ? withinRoom(due, await roomOf(deps, { parts: gone })) : due;
    }),
  );

function withinRoom(charge: Charge, roomNanoEuro: number): Charge {
  const amountNanoEuro = Math.min(charge.amountNanoEuro, Math.max(0, roomNanoEuro));
  const over = charge.amountNanoEuro - amountNanoEuro;
  if (over <= 0) return charge;
  return { ...charge, amountNanoEuro, writtenOffNanoEuro: (charge.writtenOffNanoEuro ?? 0) + over };
}

/** The id of what is charged for a call whose process died. */
export const draftId = (chargeId: string): string => `${chargeId}:draft`;

/**
 * The charges, less what was charged already for calls whose process noticed that their reservation had ended by
 * itself.
 */
export const withoutDrafts = (deps: TimedStoreDeps, charges: readonly Charge[]): Promise<Charge[]> =>
  Promise.all(
    charges.map(async (charge) =>
      charge.reservation?.parts.some(({ isGone }) => isGone) ? withoutDraft(deps, charge) : charge,
    ),
  );

/**
 * What is left to charge for a call of which a part was charged when its reservation ended. The rest is negative if
 * the call cost less than the part that was charged: the two entries together are the price of the call.
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
