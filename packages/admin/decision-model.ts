import { loadCatalogue, type Model } from '@errand/models';
import type { Desk } from './command.ts';
import { catalogueOfLocal } from './connect.ts';
import { Refusal } from './refusal.ts';

/**
 * A decision model of the file that `MODEL_CATALOGUE` names or, without one, of the running local service's. Keys of other models
 * need not be set. Throws `Refusal`, or `ConfigError` with the catalogue's problems.
 */
export async function findDecisionModel({ config, stage }: Desk, id: string): Promise<Model> {
  const modelCatalogue =
    config.modelCatalogue ?? (stage === undefined ? await catalogueOfLocal(config) : undefined);
  if (modelCatalogue === undefined)
    throw new Refusal('MODEL_CATALOGUE must name the catalogue file that has the model.');
  const secret = (name: string) => config.secret(name) ?? unset;
  const { models } = await loadCatalogue({ modelCatalogue, model: {}, secret });
  const model = models.find((candidate) => candidate.id === id);
  if (!model) throw new Refusal(`The catalogue ${modelCatalogue} has no model ${id}.`);
  if (model.kind !== 'decision') throw new Refusal(`${id} is a ${model.kind} model, not a decision model.`);
  const { apiKeyEnv, apiKey } = model.upstream;
  if (apiKey === unset) throw new Refusal(`${apiKeyEnv} is not set: it holds the key of ${id}.`);
  return model;
}

const unset = 'unset';
