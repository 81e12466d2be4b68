import { type Catalogue, findModel, type Model, nextPrice, priceAt } from '@errand/models';
import { DomainError } from '@errand/platform';
import type * as v from 'valibot';
import { listedModels } from './list-models.ts';
import type { pricing, pricingList } from './schema.ts';

type Pricing = v.InferOutput<typeof pricing>;

/** The prices of all models. */
export const listPricing = (
  catalogue: Catalogue,
  nowMilliseconds: number,
): v.InferOutput<typeof pricingList> => ({
  data: listedModels(catalogue).map(({ id, model }) => pricingOf(id, model, nowMilliseconds)),
});

/** The price of one model. Throws `not_found` for an unknown id. */
export function showPricing(catalogue: Catalogue, id: string, nowMilliseconds: number): Pricing {
  const found = findModel(catalogue, id);
  if (!found) throw new DomainError('not_found');
  return pricingOf(id, found.model, nowMilliseconds);
}

/** A compressed variant costs what its model costs. */
function pricingOf(id: string, model: Model, nowMilliseconds: number): Pricing {
  const next = nextPrice(model, nowMilliseconds);
  return {
    model: id,
    kind: model.kind,
    currency: 'EUR',
    ...priceAt(model, nowMilliseconds),
    next,
  };
}
