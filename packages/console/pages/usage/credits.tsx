import type { components } from '@errand/client';
import { formatEuro } from '../../words/money.ts';
import { formatTime } from '../../words/time.ts';
import { usage } from './usage-state.ts';

export function Credits() {
  const credits = usage().credits.data.value;
  if (!credits) return null;
  return (
    <dl class="tiles">
      <Tile name="Available" value={formatEuro(credits.available)} />
      <Tile name="Reserved for work under way" value={formatEuro(credits.reserved)} />
      <Tile name="Balance" value={formatEuro(credits.balance)} />
      {credits.budget && <Budget budget={credits.budget} />}
    </dl>
  );
}

const periods = { day: 'a day', week: 'a week', month: 'a month', total: 'in total' } as const;

function Budget({ budget }: { budget: components['schemas']['Budget'] }) {
  const { amount, period, left, spent, endsAt } = budget;
  return (
    <div class="card">
      <dt>Left of this key’s budget</dt>
      <dd class="money">{formatEuro(left)}</dd>
      <dd class="fine">
        {formatEuro(spent)} of {formatEuro(amount)} {periods[period]} is spent or reserved.
        {endsAt && ` It begins again at ${formatTime(endsAt)}.`}
      </dd>
    </div>
  );
}

const Tile = ({ name, value }: { name: string; value: string }) => (
  <div class="card">
    <dt>{name}</dt>
    <dd class="money">{value}</dd>
  </div>
);
