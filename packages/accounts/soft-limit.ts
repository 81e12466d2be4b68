import { perConnection } from '@errand/platform';
import type { AccountsDeps } from './deps.ts';
import { attributes, type Purse } from './purse/purse.ts';

const softShare = 0.8;
const mostRemembered = 10_000;

/** Budgets and ceilings that this process has told of, by their owner and attribute. */
const toldOf = perConnection(() => new Set<string>());

/**
 * Logs once for each process that a budget or a ceiling is spent by 80 %, for the operator's metric. What calls in work have
 * set aside does not count: most of it comes back.
 */
export function noteSoftLimit(
  deps: Pick<AccountsDeps, 'dynamodb' | 'log'>,
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
    softLimits: 1,
  });
}

/** What was spent of a budget, and what calls in work have set aside of it. */
export function spentOf({ budgets, holds }: Purse, name: string): { spent: number; held: number } {
  let held = 0;
  for (const { budget } of holds.values()) if (budget?.name === name) held += budget.nanoEuro;
  return { spent: (budgets.get(name) ?? 0) - held, held };
}
