import type { components } from '@errand/client';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';

type Schemas = components['schemas'];
export type Price = Schemas['Price'];

/** A model as both lists of the service tell it, with the price that is to come. */
export interface Model extends Omit<Schemas['Model'], 'object'> {
  description: string;
  releaseDate: string;
  next?: Price;
}

export const models = perKey(() =>
  resource(async ({ api }) => {
    const [{ data: list }, { data: prices }] = await Promise.all([
      api.GET('/v1/models'),
      api.GET('/v1/pricing'),
    ]);
    return { models: joinModels(list, prices) };
  }),
);

/** The two lists of models are in the same order, and so is that of prices. */
function joinModels({ data, models: told }: Schemas['ModelList'], prices: Schemas['PriceList']): Model[] {
  return data.map((model, i) => {
    const next = prices.data.find((price) => price.model === model.id)?.next;
    return {
      ...model,
      description: told[i]?.description ?? '',
      releaseDate: told[i]?.release_date ?? '',
      next,
    };
  });
}

export const takesChat = ({ kind }: Model): boolean => kind === 'chat' || kind === 'vision';
