import type { BudgetPeriod } from '@errand/platform';
import { dayMilliseconds, toDay } from './usage/times.ts';

/** A stretch of time in which a budget counts. */
interface Period {
  /** `2026-11-22`, `2026-W47` (ISO week), `2026-11` or `total`. */
  label: string;
  /** Midnight UTC, when the next period begins; undefined for `total`. */
  endsAtMilliseconds: number | undefined;
}

/** The period of this kind that the instant is in, by the calendar of UTC. */
export function periodOf(period: BudgetPeriod, nowMilliseconds: number): Period {
  const now = new Date(nowMilliseconds);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (period) {
    case 'day':
      return { label: toDay(nowMilliseconds), endsAtMilliseconds: Date.UTC(year, month, day + 1) };
    case 'week': {
      const monday = Date.UTC(year, month, day - ((now.getUTCDay() + 6) % 7));
      return { label: weekLabel(monday), endsAtMilliseconds: monday + 7 * dayMilliseconds };
    }
    case 'month':
      return { label: now.toISOString().slice(0, 7), endsAtMilliseconds: Date.UTC(year, month + 1, 1) };
    case 'total':
      return { label: 'total', endsAtMilliseconds: undefined };
  }
}

/** A week belongs to the year that its Thursday is in (ISO 8601). */
function weekLabel(mondayMilliseconds: number): string {
  const thursday = mondayMilliseconds + 3 * dayMilliseconds;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * dayMilliseconds)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** Whole seconds until the period ends, at least 1; undefined if it does not end. */
export const secondsLeft = ({ endsAtMilliseconds }: Period, nowMilliseconds: number): number | undefined =>
  endsAtMilliseconds === undefined
    ? undefined
    : Math.max(1, Math.ceil((endsAtMilliseconds - nowMilliseconds) / 1000));
