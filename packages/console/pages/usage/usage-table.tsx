import { Scrollable } from '../../parts/scrollable.tsx';
import { formatEuro } from '../../words/money.ts';
import { formatCount, formatEmissions, formatEnergy } from '../../words/quantities.ts';
import { type Group, type Series, type Sums, totalOf } from './tally.ts';

const names = { model: 'Model', key: 'Key', kind: 'Kind' } as const;

export function UsageTable({ series, group }: { series: readonly Series[]; group: Group }) {
  return (
    <Scrollable label="Sums of the time">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{names[group]}</th>
            {['Money', 'Requests', 'Tokens in', 'Tokens out', 'Energy', 'Emissions'].map((name) => (
              <th key={name} scope="col" class="to-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(({ name, sums }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <Cells sums={sums} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Together</th>
            <Cells sums={totalOf(series)} />
          </tr>
        </tfoot>
      </table>
    </Scrollable>
  );
}

const Cells = ({ sums }: { sums: Sums }) => (
  <>
    <td class="to-right figure">{formatEuro(sums.money)}</td>
    <td class="to-right figure">{formatCount(sums.requests)}</td>
    <td class="to-right figure">{formatCount(sums.inputTokens)}</td>
    <td class="to-right figure">{formatCount(sums.outputTokens)}</td>
    <td class="to-right figure">{formatEnergy(sums.energy)}</td>
    <td class="to-right figure">{formatEmissions(sums.emissions)}</td>
  </>
);
