import { type LogFields, toIso } from '@errand/platform';
import { type Charge, type ChargedTo, chargeOf, type Work } from './charge.ts';
import type { MoneyDeps } from './deps.ts';
import { type CoverAbout, type Covered, coverPrice } from './purse/cover-price.ts';
import { deleteDraft } from './purse/drafts.ts';
import { keepReservation } from './purse/keep-reservation.ts';
import { type Reservation, releaseReservation, splitReservation } from './purse/reservation.ts';
import { type SettleDeps, settleCharge } from './settle-charge.ts';
import { settleLater } from './settle-in-background.ts';
import { type Asked, openSpan } from './trace-call.ts';

/** An amount that is set aside for one call. */
export interface SetAside {
  readonly nanoEuro: number;
  /** Sets more aside. False if there is not as much. */
  extend(moreNanoEuro: number): Promise<boolean>;
  /**
   * Pays the call's price. Returns the part that is charged, and the reservation that the charge ends: nothing
   * renews the reservation any more. The rest is written off, and the log names what `about` has beside its bounds.
   */
  spend(priceNanoEuro: number, about?: CoverAbout): Promise<Spent>;
  /** Gives the amount back, unless a charge has ended it. */
  release(): Promise<void>;
}

interface Spent extends Covered {
  reservation?: Reservation;
}

interface Keeping {
  /** What the log says of a price that is written off, beside what `spend` is given. */
  about: LogFields;
  /** What is charged if the process dies. Absent if the process that takes over makes the call again. */
  draft?(): Promise<Charge | undefined>;
  /** True if the call ends sooner than its reservation, which then is not renewed. */
  isShort?: boolean;
}

/** Keeps what is reserved for a call until the call is over. */
export function keepAside(
  deps: MoneyDeps,
  reservation: Reservation | undefined,
  { about, draft, isShort }: Keeping,
): SetAside & { drafted(): Charge | undefined } {
  const kept = keepReservation(deps, isShort ? undefined : reservation, draft);
  return {
    get nanoEuro() {
      return reservation?.nanoEuro ?? 0;
    },
    extend: kept.extend,
    drafted: kept.drafted,
    async spend(priceNanoEuro, more) {
      await kept.stop();
      const covered = await coverPrice(deps, reservation, priceNanoEuro, { ...about, ...more });
      return { ...covered, reservation };
    },
    async release() {
      await kept.stop();
      await releaseReservation(deps, reservation);
    },
  };
}

/**
 * A part of what is reserved for several calls, which somebody else keeps. The part becomes a reservation of its
 * own when it is spent; until then the part is given back with the rest.
 */
export const partAside = (
  deps: MoneyDeps,
  whole: Reservation | undefined,
  nanoEuro: number,
  about: CoverAbout,
): SetAside => ({
  nanoEuro,
  extend: async () => false,
  async spend(priceNanoEuro, more) {
    const reservation = whole && nanoEuro > 0 ? await splitReservation(deps, whole, nanoEuro) : undefined;
    const bounds = { ...about, ...more };
    const { mostNanoEuro = Number.POSITIVE_INFINITY } = bounds;
    const covered = await coverPrice(deps, reservation, priceNanoEuro, {
      ...bounds,
      mostNanoEuro: reservation ? mostNanoEuro : Math.min(mostNanoEuro, nanoEuro),
    });
    return { ...covered, reservation };
  },
  release: async () => {},
});

/**
 * True if a provider is working on a request: the provider got the whole request and has not refused it. Such a
 * request is paid for.
 */
export interface Taking {
  taken: boolean;
  /** The upstream that was asked last, as the ledger names it. */
  upstream?: string;
  /** The header that tells the provider of the call's trace, if it is to be told. */
  traceparent?: string;
}

/** What is known of a call. */
interface KnownWork extends Work {
  /** The part of the price that is charged even if nothing is there to pay for it. */
  overrunNanoEuro?: number | undefined;
}

/** A call of a provider, from its reservation to its charge. */
export interface PaidCall {
  /** Given to the provider's client. */
  readonly taking: Taking;
  /** What is set aside. */
  readonly nanoEuro: number;
  /** True if the call is settled or released, or about to be. */
  readonly isOver: boolean;
  /** Sets more aside. False if there is not as much. */
  extend(moreNanoEuro: number): Promise<boolean>;
  /** Notes what is newly known of the call: its answer, or the part that has arrived. */
  learn(known: () => Promise<KnownWork | undefined>): void;
  /** What is known of the call. Undefined if no provider is working on the call, or if the call is over. */
  known(): Promise<Work | undefined>;
  /**
   * Ends the call with its charge. A request's charge is written by then, or kept to be written later; that of a run is for
   * whoever commits the work that is returned.
   */
  settle(work: KnownWork, how?: Settling): Promise<Work & Spent>;
  /** Ends a call without an answer. What is known of it is charged, or nothing. Does nothing for a call that is over. */
  breakOff(isCharged: boolean, reason?: unknown): Promise<void>;
  /** Ends a call that costs nothing. */
  release(reason?: unknown): Promise<void>;
}

interface Settling {
  hurried?: boolean;
  /** Why the model stopped writing, in the provider's words. */
  finishReasons?: readonly unknown[] | undefined;
  /** Why the call has no answer, or not the whole of one. */
  reason?: unknown;
}

interface Opening {
  /** What is known of the call while a provider is working on it and no part of the answer has arrived. */
  known(taking: Taking): Promise<Work | undefined>;
  /** For a call of several requests. */
  taking?: Taking;
  /** Writes the charge. Never throws. Absent where somebody else commits it. */
  record?(work: Work & Spent, how: Settling): Promise<void>;
  /** Told of a call that costs nothing. */
  released?(reason: unknown): void;
}

/** A call for which an amount is set aside. It must be settled, broken off or released. */
export function openCall(
  setAside: SetAside,
  { known, taking = { taken: false }, record, released }: Opening,
): PaidCall {
  let isOver = false;
  let find: () => Promise<KnownWork | undefined> = async () => (taking.taken ? known(taking) : undefined);
  const charge: PaidCall['settle'] = async ({ overrunNanoEuro, ...work }, how = {}) => {
    isOver = true;
    const { amountNanoEuro, model } = work;
    const spent = { ...work, ...(await setAside.spend(amountNanoEuro, { model, overrunNanoEuro })) };
    await record?.(spent, how);
    return spent;
  };
  const release = async (reason?: unknown) => {
    isOver = true;
    released?.(reason);
    await setAside.release();
  };
  return {
    taking,
    get nanoEuro() {
      return setAside.nanoEuro;
    },
    get isOver() {
      return isOver;
    },
    extend: setAside.extend,
    learn(next) {
      find = next;
    },
    async known() {
      const found = isOver ? undefined : await find();
      if (!found) return undefined;
      const { overrunNanoEuro: _, ...work } = found;
      return work;
    },
    settle: charge,
    async breakOff(isCharged, reason) {
      if (isOver) return;
      isOver = true;
      let work: KnownWork | undefined;
      try {
        if (isCharged) work = await find();
      } finally {
        if (!work) await release(reason);
      }
      if (work) await charge({ ...work, brokenOff: true }, { reason });
    },
    release,
  };
}

interface RequestCall extends Pick<Opening, 'known' | 'taking'>, Pick<Keeping, 'isShort'> {
  /** The id of the charge. */
  id: string;
  to: ChargedTo;
  reservation: Reservation | undefined;
  /** What the call's span tells if the call costs nothing. */
  asked: Asked;
}

/** A call that a request waits for: its charge is written when it is settled. */
export function openRequestCall(deps: SettleDeps, request: RequestCall): PaidCall {
  const { id, to, reservation, known, asked } = request;
  const span = deps.spans && openSpan({ ...deps, spans: deps.spans }, id, to, asked);
  const taking: Taking = request.taking ?? { taken: false };
  if (span?.traceparent) taking.traceparent = span.traceparent;
  const toCharge = (work: Work & Partial<Spent>) => chargeOf({ ...work, id }, to, toIso(deps.clock()));
  const setAside = keepAside(deps, reservation, {
    ...request,
    about: { charge: id },
    async draft() {
      const work = await call.known();
      return work && toCharge({ ...work, reservation });
    },
  });
  const call = openCall(setAside, {
    known,
    taking,
    released: span && ((reason) => span.release(reason, taking.upstream)),
    async record(work, how) {
      const charge = toCharge(work);
      span?.end(charge, how);
      await settleCharge({ ...deps, hurried: how.hurried }, charge);
      const drafted = setAside.drafted();
      if (!drafted || !reservation) return;
      settleLater(deps, to.payer.accountId, () => deleteDraft(deps, reservation, drafted));
    },
  });
  return call;
}
