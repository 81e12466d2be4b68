const nanoPerEuro = 1_000_000_000;

const decimal = /^(-?)(\d+)(?:\.(\d{1,9}))?$/;

/** A plain decimal without trailing zeros: `4.98731`, `5`, `-0.00012`. */
export function formatEuro(nanoEuro: number): string {
  if (!Number.isSafeInteger(nanoEuro)) throw new RangeError('an amount is a safe integer of nano-euro');
  const size = Math.abs(nanoEuro);
  const fraction = String(size % nanoPerEuro)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const whole = Math.floor(size / nanoPerEuro);
  return `${nanoEuro < 0 ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** Nano-euro of a decimal such as `5`, `5.00` or `-1.5`; undefined for other text and past a safe integer. */
export function parseEuro(text: string): number | undefined {
  const match = decimal.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const size = Number(whole + fraction.padEnd(9, '0'));
  if (!Number.isSafeInteger(size)) return undefined;
  return sign && size !== 0 ? -size : size;
}
