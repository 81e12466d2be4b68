import {
  type AccountsDeps,
  applyCharge,
  type Charge,
  type Credits,
  chargeWrites,
  requireCredits,
} from '@errand/accounts';
import { type Combiner, createCombiner, limits, type Principal, transact } from '@errand/platform';

/** Requests of one account that come at once share their reads of its credits and their writes to its ledger. */
interface Accounting {
  credits: Combiner<Principal, Credits>;
  charges: Combiner<Charge, void>;
}

const largestRead = 1_000;
const writeMilliseconds = 2_000;

const accountings = new WeakMap<AccountsDeps['dynamodb'], Accounting>();

function accountingOf(deps: AccountsDeps): Accounting {
  const known = accountings.get(deps.dynamodb);
  if (known) return known;
  const made: Accounting = {
    credits: createCombiner(async (principals) => {
      const [principal] = principals as [Principal];
      const credits = await requireCredits(deps, principal);
      return principals.map(() => credits);
    }, largestRead),
    charges: createCombiner(async (charges) => {
      await withinTime(writeTogether(deps, charges));
      return charges.map(() => undefined);
    }, limits.transactionItems - 1),
  };
  accountings.set(deps.dynamodb, made);
  return made;
}

async function writeTogether(deps: AccountsDeps, charges: readonly Charge[]): Promise<void> {
  const [charge, ...others] = charges;
  if (charge && others.length === 0) return applyCharge(deps, charge);
  await transact(deps, chargeWrites(deps, charges));
}

/** `no_credits`; the balance is never older than the call. */
export const readCredits = (deps: AccountsDeps, principal: Principal): Promise<Credits> =>
  accountingOf(deps).credits(`${principal.accountId} ${principal.organisationId ?? ''}`, principal);

/** Together with the payer's other charges. Writes that collide on one balance would be cancelled and tried again. */
export const writeCharge = (deps: AccountsDeps, charge: Charge): Promise<void> =>
  accountingOf(deps).charges(charge.payer.organisationId ?? charge.payer.accountId, charge);

/** On its own, for one whose group failed. */
export const writeChargeAlone = (deps: AccountsDeps, charge: Charge): Promise<void> =>
  withinTime(applyCharge(deps, charge));

/** A charge's id makes writing it again harmless, so a slow write is not waited for. */
async function withinTime(writing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('ledger write too slow')), writeMilliseconds);
  });
  try {
    await Promise.race([writing, late]);
  } finally {
    clearTimeout(timer);
  }
}
