import { type Principal, perConnection } from '@errand/platform';
import type { Payer } from './charge.ts';
import type { MoneyDeps, Notice, StoreDeps } from './deps.ts';
import type { SpentBudget } from './payer.ts';
import { attributes, type Purse } from './purse/purse.ts';
import { readAccountPurse } from './read-credits.ts';
import { settleLater } from './settle-in-background.ts';

interface NoticeDeps extends Pick<MoneyDeps, 'dynamodb' | 'log'> {
  notify?: MoneyDeps['notify'];
}

const lowShare = 0.2;
const mostRemembered = 10_000;

/** What this process has noticed. */
const noticedOf = perConnection(() => new Set<string>());

/** What this process last knew of purses: charges of its own are taken off, until the next request reads them. */
const purseOf = perConnection(() => new Map<string, Pick<Purse, 'balanceNanoEuro' | 'lastCredit'>>());

const isLow = ({ balanceNanoEuro, lastCredit }: Pick<Purse, 'balanceNanoEuro' | 'lastCredit'>): boolean =>
  lastCredit !== undefined && balanceNanoEuro < lastCredit.nanoEuro * lowShare;

/** Notices if the account's balance is low. What calls in work have set aside does not count: most of it comes back. */
export function noticePurse(
  deps: NoticeDeps,
  accountId: string,
  { balanceNanoEuro, lastCredit }: Pick<Purse, 'balanceNanoEuro' | 'lastCredit'>,
): void {
  if (!deps.notify || !lastCredit) return;
  const known = purseOf(deps);
  if (known.size >= mostRemembered) known.clear();
  known.set(accountId, { balanceNanoEuro, lastCredit });
  if (isLow({ balanceNanoEuro, lastCredit }))
    notice(deps, { type: 'credits.low', accountId, creditId: lastCredit.id });
}

/** Notices if a charge has made the balance low. */
export function noticeCharge(
  deps: NoticeDeps,
  { accountId, organisationId }: Payer,
  amountNanoEuro: number,
): void {
  const known = organisationId === undefined ? purseOf(deps).get(accountId) : undefined;
  if (known)
    noticePurse(deps, accountId, { ...known, balanceNanoEuro: known.balanceNanoEuro - amountNanoEuro });
}

/** Notices if the budget of a key is used up: the budget is spent, or the rest pays for no request. */
export function noticeBudget(
  deps: NoticeDeps,
  { accountId, keyId }: Principal,
  budget: SpentBudget,
  purse: Purse,
  isRefused: boolean,
): void {
  const { spent, held } = spentOf(purse, budget.name);
  if (spent < budget.limit && !(isRefused && held === 0)) return;
  const period = budget.name.slice(attributes.budget.length).split('|')[1] ?? '';
  notice(deps, { type: 'budget.reached', accountId, keyId, period });
}

/** What was spent of a budget, and what calls in work have set aside of it. */
function spentOf({ budgets, holds }: Purse, name: string): { spent: number; held: number } {
  let held = 0;
  for (const { budget } of holds.values()) if (budget?.name === name) held += budget.nanoEuro;
  return { spent: (budgets.get(name) ?? 0) - held, held };
}

const softShare = 0.8;

/** Budgets and ceilings that this process has told of, by their owner and attribute. */
const toldOf = perConnection(() => new Set<string>());

/**
 * Logs once for each process that a budget or a ceiling is spent by 80 %, for the operator's metric. What calls in work have
 * set aside does not count: most of it comes back.
 */
export function noteSoftLimit(
  deps: NoticeDeps,
  owner: { accountId: string } | { organisationId: string },
  { name, limit }: { name: string; limit: number },
  purse: Purse,
): void {
  const { spent } = spentOf(purse, name);
  if (limit === 0 || spent < softShare * limit) return;
  const told = toldOf(deps);
  const key = `${Object.values(owner)[0]} ${name}`;
  if (told.has(key)) return;
  if (told.size >= mostRemembered) told.clear();
  told.add(key);
  const [of = '', period = ''] = name.slice(attributes.budget.length).split('|');
  const budget = 'organisationId' in owner ? 'ceiling' : 'key';
  deps.log.warn('budget nearly spent', {
    ...owner,
    ...(budget === 'key' && { keyId: of }),
    budget,
    period,
    spentNanoEuro: spent,
    limitNanoEuro: limit,
  });
}

function notice(deps: NoticeDeps, found: Notice): void {
  const { notify, log } = deps;
  const noticed = noticedOf(deps);
  const name = Object.values(found).join(' ');
  if (!notify || noticed.has(name)) return;
  if (noticed.size >= mostRemembered) noticed.clear();
  noticed.add(name);
  settleLater(deps, found.accountId, async () => {
    try {
      await notify(found);
    } catch {
      // The next request notices it again.
      noticed.delete(name);
      log.warn('notice not sent', { accountId: found.accountId, type: found.type });
    }
  });
}

/** True if the balance is still low: another process may have added credits since. */
export async function isStillTrue(deps: StoreDeps, found: Notice): Promise<boolean> {
  if (found.type === 'budget.reached') return true;
  const purse = await readAccountPurse(deps, found.accountId);
  return purse.lastCredit?.id === found.creditId && isLow(purse);
}
