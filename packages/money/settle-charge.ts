import {
  createCombiner,
  describeError,
  limits,
  perConnection,
  startTimer,
  transact,
  wait,
} from '@errand/platform';
import type { Charge } from './charge.ts';
import type { MoneyDeps } from './deps.ts';
import { applyCharge, chargeWrites, ledgerOf, withoutDrafts } from './ledger.ts';
import { noticeCharge } from './notices.ts';

export interface SettleDeps extends MoneyDeps {
  /**
   * Keeps a charge that could not be written, to be written later: in the queue or, if the service runs on one
   * machine, in the data folder.
   */
  deferCharge(charge: Charge): Promise<void>;
  /**
   * True if the process is about to end: the charge is then deferred after one failed attempt, which takes 3.5 s at
   * most.
   */
  hurried?: boolean;
}

/** Doubled before each further attempt. All waits together are `limits.chargeWaitsMilliseconds`. */
const baseWaitMilliseconds = 50;

/**
 * Writes the charge into the ledger or, after three failed attempts, defers it. Never throws, because the caller gets
 * the answer anyway. A charge that is not in the ledger yet is logged with all its fields, so that an operator can write
 * it by hand.
 */
export async function settleCharge(deps: SettleDeps, charge: Charge): Promise<void> {
  if (await tryToWrite(deps, charge)) return noticeCharge(deps, charge.payer, charge.amountNanoEuro);
  const { payer, id, skill, price, reservation, ...entry } = charge;
  const fields = {
    charge: id,
    ...entry,
    skill: skill && JSON.stringify(skill),
    price: price && JSON.stringify(price),
    reservation: reservation?.id,
    ...payer,
  };
  try {
    await withinTime(deps, deps.deferCharge(charge));
    deps.log.warn('charge deferred', fields);
  } catch (error) {
    deps.log.error('charge not written', { ...fields, ...describeError(error) });
  }
}

/**
 * Writes the charge together with the payer's other charges at the first attempt. Later attempts write it alone,
 * because another charge may be the cause of the failure. A hurried charge has one attempt.
 */
async function tryToWrite(deps: SettleDeps, charge: Charge): Promise<boolean> {
  const attempts = deps.hurried ? 1 : limits.chargeAttempts;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      if (attempt > 1) await withinTime(deps, applyCharge(deps, charge));
      else if (deps.hurried)
        await withinTime(deps, writeTogether(deps, charge), limits.lastChargeAttemptMilliseconds);
      else await writeTogether(deps, charge);
      return true;
    } catch (error) {
      deps.log.warn('ledger write failed', { charge: charge.id, attempt, ...describeError(error) });
      if (attempt < attempts) await wait(deps, baseWaitMilliseconds * 2 ** attempt);
    }
  }
  return false;
}

interface Writing {
  deps: SettleDeps;
  charge: Charge;
}

/** An account's purse, and that of its organisation. */
const pursesOfCharges = 2;

const writerOf = perConnection(() => createCombiner(writeGroup, limits.transactionItems - pursesOfCharges));

/** Charges of one account share a transaction: simultaneous ones would collide on its purse and be cancelled by AWS. */
const writeTogether = (deps: SettleDeps, charge: Charge): Promise<undefined> =>
  writerOf(deps)(charge.payer.accountId, { deps, charge });

async function writeGroup(group: readonly Writing[]): Promise<undefined[]> {
  const [{ deps, charge }] = group as [Writing];
  await withinTime(deps, group.length === 1 ? applyCharge(deps, charge) : writeAll(group));
  return group.map(() => undefined);
}

async function writeAll(group: readonly Writing[]): Promise<void> {
  const [{ deps }] = group as [Writing];
  // A transaction that has an item twice is refused whole.
  const charges = [...new Map(group.map(({ charge }) => [entryOf(charge), charge])).values()];
  await transact(deps, chargeWrites(deps, await withoutDrafts(deps, charges), [], true));
}

const entryOf = ({ payer, id }: Charge): string => `${ledgerOf(payer)} ${id}`;

/** Rejects if the write is slow. It may still succeed: the charge's id keeps the next attempt from charging twice. */
function withinTime(
  deps: SettleDeps,
  writing: Promise<void>,
  milliseconds: number = limits.chargeAttemptMilliseconds,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(deps, milliseconds, () => reject(new Error('write too slow')));
    writing.then(resolve, reject).finally(stop);
  });
}
