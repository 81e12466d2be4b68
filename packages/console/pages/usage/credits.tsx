import type { components } from '@errand/client';
import type { ComponentChildren } from 'preact';
import { formatEuro } from '../../words/money.ts';
import { formatUtcTime } from '../../words/time.ts';
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
    <Tile name="Left of this key’s budget" value={formatEuro(left)}>
      <dd class="fine">
        {formatEuro(spent)} of {formatEuro(amount)} {periods[period]} is spent or reserved.
        {endsAt && ` It begins again at ${formatUtcTime(endsAt)}.`}
      </dd>
    </Tile>
  );
}

const Tile = ({ name, value, children }: { name: string; value: string; children?: ComponentChildren }) => (
  <div class="card">
    <dt>{name}</dt>
    <dd class="money">{value}</dd>
    {children}
  </div>
);
