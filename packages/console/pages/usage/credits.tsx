import { formatEuro } from '../../words/money.ts';
import { usage } from './usage-state.ts';

export function Credits() {
  const credits = usage().credits.data.value;
  if (!credits) return null;
  return (
    <dl class="tiles">
      <Tile name="Available" value={formatEuro(credits.available)} />
      <Tile name="Reserved for work under way" value={formatEuro(credits.reserved)} />
      <Tile name="Balance" value={formatEuro(credits.balance)} />
    </dl>
  );
}

const Tile = ({ name, value }: { name: string; value: string }) => (
  <div class="card">
    <dt>{name}</dt>
    <dd class="money">{value}</dd>
  </div>
);
