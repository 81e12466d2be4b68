/** Euros as people read them: cents from a euro on, three figures below it. */
export function formatEuro(amount: string | number): string {
  const euros = Number(amount);
  if (euros === 0) return '€0';
  const size = Math.abs(euros);
  const digits = size >= 1 ? 2 : Math.min(9, 2 - Math.floor(Math.log10(size)));
  const figure = size.toFixed(digits);
  return `${euros < 0 ? '−' : ''}€${size >= 1 ? grouped(figure) : figure.replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

const grouped = (figure: string): string => {
  const [whole = '', cents = ''] = figure.split('.');
  return `${Number(whole).toLocaleString('en')}.${cents}`;
};

/** What a chat completion costs by the model's prices, in euros. What they do not say is not known: undefined. */
export function costOf(
  usage: { input: number; cachedInput: number; cacheWrite: number; output: number },
  price: {
    inputPerMillionTokens?: number;
    cachedInputPerMillionTokens?: number;
    cacheWritePerMillionTokens?: number;
    outputPerMillionTokens?: number;
  },
): number | undefined {
  const { inputPerMillionTokens: input, outputPerMillionTokens: output } = price;
  if (input === undefined || output === undefined) return undefined;
  const fresh = Math.max(0, usage.input - usage.cachedInput - usage.cacheWrite);
  const parts =
    fresh * input +
    usage.cachedInput * (price.cachedInputPerMillionTokens ?? input) +
    usage.cacheWrite * (price.cacheWritePerMillionTokens ?? input) +
    usage.output * output;
  return parts / 1_000_000;
}
