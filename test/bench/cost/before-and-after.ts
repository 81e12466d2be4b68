import { table } from '../figures.ts';
import { costsOf, type Line } from './tables.ts';

/** In USD, as this benchmark printed them at commit 0b42f42, when the worker and what serves streams had 1,792 MB. */
const before = { runs: 1.4734, watching: 0.0847 } as const;

/** What it has saved that documents are converted, and runs are watched, by functions of their own. */
export function beforeAndAfter(now: Record<keyof typeof before, Line>): string {
  return table(
    ['what', 'before', 'now', 'part of it'],
    (Object.keys(before) as (keyof typeof before)[]).map((name) => {
      const { what, usage, times } = now[name];
      const { stores, lambda, edge } = costsOf(usage);
      const cost = (stores + lambda + edge) * times;
      return [
        what,
        `$${before[name]}`,
        `$${cost.toFixed(4)}`,
        `${((100 * cost) / before[name]).toFixed(0)} %`,
      ];
    }),
  );
}
