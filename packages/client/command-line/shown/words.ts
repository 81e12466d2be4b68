/** What a service gives as a number or a decimal; NaN if it is neither. */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

/** A decimal of EUR with at most four places, as a person reads it. */
export function euros(amount: string | number): string {
  const value = numberOf(amount);
  if (!Number.isFinite(value)) return '? EUR';
  if (value !== 0 && Math.abs(value) < 0.0001) return `${value < 0 ? '-' : ''}<0.0001 EUR`;
  return `${value.toFixed(4).replace(/(\.\d\d\d*?)0+$/, '$1')} EUR`;
}

const units = ['B', 'kB', 'MB', 'GB'] as const;

export function bytes(count: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const value = count / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** How long ago something was: `5 s`, `12 min`, `3 h`, `2 d`. */
export function age(at: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  if (Number.isNaN(seconds)) return '?';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

export const count = (value: number): string =>
  Number.isFinite(numberOf(value)) ? numberOf(value).toLocaleString('en') : '?';

/** A time to the minute: `2026-11-21 10:00 UTC`. */
export function utcTime(at: string): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return '?';
  return `${new Date(time).toISOString().slice(0, -8).replace('T', ' ')} UTC`;
}
