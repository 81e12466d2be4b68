import { must } from './outcome.ts';
import { excerpt } from './show.ts';

const digits = 9;

/**
 * An amount of the API in nano-euro. Throws `Failed` unless the text is a plain decimal. The service's own reader of amounts
 * would not do: if it were wrong, it would agree with itself.
 */
export function readEuro(text: string): number {
  must(/^-?\d+(\.\d{1,9})?$/.test(text), `an amount is ${excerpt(JSON.stringify(text) ?? 'missing')}`);
  const [whole = '', fraction = ''] = text.split('.');
  return Number(`${whole}${fraction.padEnd(digits, '0')}`);
}

/** An amount as the table shows it. */
export const showEuro = (nanoEuro: number): string =>
  (nanoEuro / 10 ** digits).toFixed(digits).replace(/\.?0+$/, '');
