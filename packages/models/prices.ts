import type { Price } from '@errand/platform';
import type { Model } from './catalogue.ts';
import type { Usage } from './usage.ts';

const nanoPerEuro = 1_000_000_000;
const tokensPerPrice = 1_000_000n;

/** Exact for every price that a catalogue may have: at most 9 decimals, at most 10,000 EUR. */
const toNano = (euro: number): bigint => BigInt(Math.round(euro * nanoPerEuro));

/** The model's price at a time. */
export const priceAt = ({ prices }: Pick<Model, 'prices'>, nowMilliseconds: number): Price =>
  prices.findLast(({ from }) => from !== undefined && Date.parse(from) <= nowMilliseconds) ?? prices[0];

/** The price that follows, if one does. */
export const nextPrice = (model: Pick<Model, 'prices'>, nowMilliseconds: number): Price | undefined =>
  model.prices[model.prices.indexOf(priceAt(model, nowMilliseconds)) + 1];

/** The price of a completion in nano-euro, rounded half up once. */
export function completionCost(price: Price, usage: Usage): number {
  const input = price.inputPerMillionTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const sum =
    BigInt(usage.inputTokens - usage.cachedInputTokens - written) * toNano(input) +
    BigInt(usage.cachedInputTokens) * toNano(price.cachedInputPerMillionTokens ?? input) +
    BigInt(written) * toNano(price.cacheWritePerMillionTokens ?? input) +
    BigInt(usage.outputTokens) * toNano(price.outputPerMillionTokens ?? 0);
  return Number((sum + tokensPerPrice / 2n) / tokensPerPrice);
}

/** The price of a recording in nano-euro. Seconds are rounded up. */
export function audioCost(price: Price, seconds: number): number {
  return Number(BigInt(Math.ceil(seconds)) * toNano(price.perSecond ?? 0));
}
