import { parseEuro } from '@errand/accounts';
import { Refusal, UsageError } from './refusal.ts';

/** Reads an option such as `--amount 5.00` as nano-euro. Throws `Refusal`. */
export function readEuro(option: string, text: string): number {
  const nanoEuro = parseEuro(text);
  if (nanoEuro !== undefined) return nanoEuro;
  throw new Refusal(`--${option} must be an amount of EUR such as 5, 5.00 or -1.5: ${JSON.stringify(text)}`);
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
export function ownerOf({ account, organisation }: { account?: string; organisation?: string }) {
  if (account !== undefined && organisation === undefined) return { accountId: account };
  if (organisation !== undefined && account === undefined) return { organisationId: organisation };
  throw new UsageError('either --account or --organisation is needed');
}
