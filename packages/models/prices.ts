import type { Price } from '@errand/platform';
import type { Model } from './catalogue.ts';

/** The model's price at a time. */
export const priceAt = ({ prices }: Pick<Model, 'prices'>, nowMilliseconds: number): Price =>
  prices.findLast(({ from }) => from !== undefined && Date.parse(from) <= nowMilliseconds) ?? prices[0];

/** The next price, if the price changes. */
export const nextPrice = (model: Pick<Model, 'prices'>, nowMilliseconds: number): Price | undefined =>
  model.prices[model.prices.indexOf(priceAt(model, nowMilliseconds)) + 1];
