interface BarSeries {
  name: string;
  values: ReadonlyMap<string, number>;
}

interface StackedBarsProps {
  label: string;
  /** Along the axis, in their order. */
  places: readonly string[];
  series: readonly BarSeries[];
  format: (value: number) => string;
}

/** A chart of a bar for each place, cut by series. The figures of its bars are in their titles, and in a table for whoever cannot point at them. */
export function StackedBars({ label, places, series, format }: StackedBarsProps) {
  const valueAt = (place: string) => series.map(({ values }) => values.get(place) ?? 0);
  const sumAt = (place: string) => valueAt(place).reduce((sum, value) => sum + value, 0);
  const top = niceTop(Math.max(...places.map(sumAt)));
  const ends = [places[0], places[Math.floor((places.length - 1) / 2)], places.at(-1)];
  return (
    <figure class="chart">
      <ul class="legend">
        {series.map(({ name }, i) => (
          <li key={name} class={`hue-${i + 1}`}>
            {name}
          </li>
        ))}
      </ul>
      <div class="plot">
        <div class="scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${places.length} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
          {[0, 50, 100].map((y) => (
            <line key={y} x1="0" x2={places.length} y1={y} y2={y} class="grid" />
          ))}
          {places.map((place, x) => (
            <g key={place}>
              <title>{titleOf(place, series, format)}</title>
              <rect x={x} width="1" height="100" class="place" />
              {stack(valueAt(place), top).map(({ y, height }, i) => (
                <rect key={i} x={x + 0.14} y={y} width="0.72" height={height} class={`hue-${i + 1}`} />
              ))}
            </g>
          ))}
        </svg>
        <div class="ends" aria-hidden="true">
          {[...new Set(ends)].map((place) => (
            <span key={place}>{place}</span>
          ))}
        </div>
      </div>
      <div class="unseen">
        <Figures {...{ label, places, series, format }} />
      </div>
    </figure>
  );
}

/** Places without a value are left out. */
const Figures = ({ label, places, series, format }: StackedBarsProps) => (
  <table>
    <caption>{label}</caption>
    <thead>
      <tr>
        <td />
        {series.map(({ name }) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {places
        .filter((place) => series.some(({ values }) => values.get(place)))
        .map((place) => (
          <tr key={place}>
            <th scope="row">{place}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{format(values.get(place) ?? 0)}</td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
);

/** The next number above that is easy to halve and to read. */
function niceTop(most: number): number {
  if (!(most > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].map((step) => step * size).find((top) => top >= most) ?? most;
}

/** Where each part of a bar stands, in hundredths of the height from above. */
function stack(values: readonly number[], top: number): { y: number; height: number }[] {
  let y = 100;
  return values.map((value) => {
    const height = (value / top) * 100;
    y -= height;
    return { y, height };
  });
}

function titleOf(place: string, series: readonly BarSeries[], format: (value: number) => string): string {
  const parts = series.flatMap(({ name, values }) => {
    const value = values.get(place);
    return value ? [`${name}: ${format(value)}`] : [];
  });
  return [place, ...parts].join('\n');
}
