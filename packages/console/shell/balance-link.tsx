import { balance } from '../session/balance.ts';
import { formatEuro } from '../words/money.ts';
import { hrefOf } from './route.ts';

/** What the visitor may still spend: of the account, and of the key's budget if it has one. */
export function BalanceLink() {
  balance().need();
  const credits = balance().data.value;
  if (!credits) return null;
  const { available, budget } = credits;
  const left = budget && Number(budget.left) < Number(available) ? budget.left : available;
  return (
    <a class="balance" href={hrefOf('usage')}>
      Available <strong>{formatEuro(left)}</strong>
    </a>
  );
}
