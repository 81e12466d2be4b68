import { formatShare } from '../words/quantities.ts';

interface Bar {
  name: string;
  /** From 0 to 1. */
  share: number;
  meaning?: string;
}

/** Shares of a whole. The likeliest stands out. */
export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const likeliest = bars.reduce((best, bar) => (bar.share > best.share ? bar : best));
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ name, share, meaning }) => (
        <li key={name} class={name === likeliest.name ? 'likeliest' : ''}>
          <span class="bar-name">
            {name}
            {meaning && <small>{meaning}</small>}
          </span>
          <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="1" class="bar-ground" />
            <rect width={share * 100} height="1" class="bar-share" />
          </svg>
          <span class="figure">{formatShare(share)}</span>
        </li>
      ))}
    </ul>
  );
}
