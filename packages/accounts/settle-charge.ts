import {
  createCombiner,
  delay,
  describeError,
  limits,
  type StartTimer,
  startSystemTimer,
  transact,
} from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import { applyCharge, type Charge, chargeWrites } from './ledger.ts';
import { perConnection } from './per-connection.ts';

export interface SettleDeps extends Pick<AccountsDeps, 'dynamodb' | 'tables' | 'log'> {
  /** Takes a charge that the ledger could not, to be written later. */
  deferCharge(charge: Charge): Promise<void>;
  /** Replaced in tests that hold the time. */
  wait?: (milliseconds: number) => Promise<void>;
  startTimer?: StartTimer;
}

const attempts = 3;
const baseWaitMilliseconds = 50;
/** All tries, and handing on, fit between our time limit and the edge's. */
const attemptMilliseconds = 1_000;

/**
 * Charges once: in the ledger when this resolves, or handed on to be written later. Never throws: an answer that
 * exists is not thrown away for its charge, and what nobody took is in the log, whole.
 */
export async function settleCharge(deps: SettleDeps, charge: Charge): Promise<void> {
  if (await tryToWrite(deps, charge)) return;
  try {
    await withinTime(deps, deps.deferCharge(charge));
    deps.log.warn('charge deferred', { charge: charge.id });
  } catch (error) {
    const { payer, ...entry } = charge;
    deps.log.error('charge not written', { ...entry, ...payer, ...describeError(error) });
  }
}

/** First together with the payer's other charges; then alone, for it may be another that failed. */
async function tryToWrite(deps: SettleDeps, charge: Charge): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await (attempt === 1 ? writeTogether(deps, charge) : withinTime(deps, applyCharge(deps, charge)));
      return true;
    } catch (error) {
      deps.log.warn('ledger write failed', { charge: charge.id, attempt, ...describeError(error) });
      if (attempt < attempts) await (deps.wait ?? delay)(baseWaitMilliseconds * 2 ** attempt);
    }
  }
  return false;
}

interface Writing {
  deps: SettleDeps;
  charge: Charge;
}

const writerOf = perConnection(() => createCombiner(writeGroup, limits.transactionItems - 1));

/** Writes that collide on one balance would be cancelled and tried again; a transaction for all of them is not. */
const writeTogether = (deps: SettleDeps, charge: Charge): Promise<undefined> =>
  writerOf(deps)(charge.payer.organisationId ?? charge.payer.accountId, { deps, charge });

async function writeGroup(group: readonly Writing[]): Promise<undefined[]> {
  const [{ deps, charge }] = group as [Writing];
  const charges = group.map((one) => one.charge);
  await withinTime(
    deps,
    group.length === 1 ? applyCharge(deps, charge) : transact(deps, chargeWrites(deps, charges)),
  );
  return group.map(() => undefined);
}

/** A charge's id makes writing it again harmless, so a slow write is not waited for. */
function withinTime({ startTimer = startSystemTimer }: SettleDeps, writing: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(attemptMilliseconds, () => reject(new Error('write too slow')));
    writing.then(resolve, reject).finally(stop);
  });
}
