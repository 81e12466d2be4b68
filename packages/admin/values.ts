import { parseEuro } from '@errand/money';
import { toIso } from '@errand/platform';
import { Refusal, UsageError } from './refusal.ts';

/** Reads an option such as `--amount 5.00` as nano-euro. Throws `Refusal`. */
export function readEuro(option: string, text: string): number {
  const nanoEuro = parseEuro(text);
  if (nanoEuro !== undefined) return nanoEuro;
  throw new Refusal(`--${option} must be an amount of EUR such as 5, 5.00 or -1.5: ${JSON.stringify(text)}`);
}

/** Reads what may be spent as nano-euro. Throws `Refusal` for less than nothing, too. */
export function readSpending(option: string, text: string): number {
  const nanoEuro = parseEuro(text);
  if (nanoEuro !== undefined && nanoEuro >= 0) return nanoEuro;
  throw new Refusal(`--${option} must be an amount of EUR such as 5 or 5.00: ${JSON.stringify(text)}`);
}

const instant = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** Reads a date, which is its midnight, or a date and time; both are UTC if nothing else is said. Throws `Refusal`. */
export function readInstant(option: string, text: string): string {
  const [, date = '', time = '00:00', zone = 'Z'] = instant.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00Z`);
  const at = Date.parse(`${date}T${time}${zone}`);
  // JavaScript reads 30 February as 2 March.
  if (!Number.isNaN(at) && toIso(midnight.getTime()).startsWith(date)) return toIso(at);
  throw new Refusal(
    `--${option} must be a date such as 2027-01-01 or 2027-01-01T12:00Z: ${JSON.stringify(text)}`,
  );
}

/** Reads words between commas, each of them once. Throws `Refusal` if there are none. */
export function readList(option: string, text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.every((word) => word !== '')) return [...new Set(words)];
  throw new Refusal(`--${option} must be words between commas: ${JSON.stringify(text)}`);
}

export function readWord<const W extends string>(option: string, text: string, words: readonly W[]): W {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new Refusal(`--${option} must be of ${words.join(', ')}: ${JSON.stringify(text)}`);
}

/** Throws `Refusal` unless the text is a whole number from 1 to `most`. */
export function readCount(option: string, text: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw new Refusal(`--${option} must be a whole number from 1 to ${most}: ${JSON.stringify(text)}`);
}

export function readFlag(option: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Refusal(`--${option} must be true or false: ${JSON.stringify(text)}`);
}

export function readName(option: string, text: string): string {
  if (text.trim() !== '') return text;
  throw new Refusal(`--${option} must not be empty`);
}

/** Whom `--account` or `--organisation` names. Throws `UsageError` unless there is one of them. */
export function ownerOf({
  account,
  organisation,
}: {
  account?: string;
  organisation?: string;
}): { accountId: string } | { organisationId: string } {
  if (account !== undefined && organisation === undefined) return { accountId: account };
  if (organisation !== undefined && account === undefined) return { organisationId: organisation };
  throw new UsageError('either --account or --organisation is needed');
}
