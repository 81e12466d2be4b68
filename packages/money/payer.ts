import type { Budget, BudgetPeriod, Principal } from '@errand/platform';
import { periodOf, secondsLeft } from './budget-period.ts';
import type { Payer } from './charge.ts';
import type { StoreDeps, TimedStoreDeps } from './deps.ts';
import { attributes } from './purse/purse.ts';
import { itemKeys, readItem } from './store.ts';

/** Who pays, and the ceiling of the organisation if an organisation pays. */
interface Paying {
  payer: Payer;
  ceilingNanoEuro?: number;
}

interface StoredOrganisation {
  subscription?: boolean;
  ceilingNanoEuro?: number;
}

/**
 * The organisation whose subscription covers the account, otherwise the account itself. Costs a read if the account
 * has an organisation.
 */
export async function readPaying(deps: StoreDeps, { accountId, organisationId }: Principal): Promise<Paying> {
  if (organisationId === undefined) return { payer: { accountId } };
  const organisation = await readItem<StoredOrganisation>(deps, itemKeys.organisation(organisationId));
  if (organisation?.subscription !== true) return { payer: { accountId } };
  const { ceilingNanoEuro } = organisation;
  const payer = { accountId, organisationId };
  return { payer, ceilingNanoEuro };
}

/** An amount that may be spent in each period, with its attribute in the purse. */
export interface SpentBudget {
  name: string;
  limit: number;
  period: BudgetPeriod;
  endsAtMilliseconds?: number;
  retryAfterSeconds?: number;
}

const spentBudget = (
  { clock }: Pick<TimedStoreDeps, 'clock'>,
  owner: string,
  { amountNanoEuro, period }: Budget,
): SpentBudget => {
  const current = periodOf(period, clock());
  const retryAfterSeconds = secondsLeft(current, clock());
  return {
    name: `${attributes.budget}${owner}|${current.label}`,
    limit: amountNanoEuro,
    period,
    endsAtMilliseconds: current.endsAtMilliseconds,
    retryAfterSeconds,
  };
};

/** The budget of the key in its account's purse. */
export const budgetOf = (
  deps: Pick<TimedStoreDeps, 'clock'>,
  { keyId, limits }: Pick<Principal, 'keyId' | 'limits'>,
): SpentBudget | undefined => limits?.budget && spentBudget(deps, keyId, limits.budget);

/** The ceiling of the month in the organisation's purse. */
export const ceilingOf = (deps: Pick<TimedStoreDeps, 'clock'>, amountNanoEuro: number): SpentBudget =>
  spentBudget(deps, 'ceiling', { amountNanoEuro, period: 'month' });
