import { type Catalogue, compressedSuffix, findModel, type Model, nextPrice, priceAt } from '@errand/models';
import { DomainError, toSeconds } from '@errand/platform';
import type * as v from 'valibot';
import type { modelList, pricing, pricingList } from './schema.ts';

interface ListedModel {
  id: string;
  description: string;
  model: Model;
}

const withVariant = (model: Model): ListedModel[] => [
  { id: model.id, description: model.description, model },
  ...(model.compressed
    ? [
        {
          id: model.id + compressedSuffix,
          description: `${model.description} Answers as briefly as the content allows.`.trim(),
          model,
        },
      ]
    : []),
];

/** The model list: `data` as OpenAI's clients read it, and `models` for clients of the decision protocol. */
export function listModels(catalogue: Catalogue): v.InferOutput<typeof modelList> {
  const listed = catalogue.models.flatMap(withVariant);
  return {
    object: 'list',
    data: listed.map(({ id, model }) => ({
      id,
      object: 'model',
      created: model.releaseDate === undefined ? 0 : toSeconds(Date.parse(model.releaseDate)),
      owned_by: model.ownedBy,
      kind: model.kind,
    })),
    models: listed.map(({ id, description, model }) => ({
      name: id,
      description,
      release_date: model.releaseDate ?? '',
    })),
  };
}

type Pricing = v.InferOutput<typeof pricing>;

/** The prices of all models. */
export const listPricing = (
  catalogue: Catalogue,
  nowMilliseconds: number,
): v.InferOutput<typeof pricingList> => ({
  data: catalogue.models.flatMap(withVariant).map(({ id, model }) => pricingOf(id, model, nowMilliseconds)),
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
    ...(next && { next }),
  };
}
