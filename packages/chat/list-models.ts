import { mayUseModel } from '@errand/accounts';
import {
  type Catalogue,
  compressedSuffix,
  findModel,
  type Model,
  priceAt,
  unknownModel,
} from '@errand/models';
import { type Clock, limits, type Principal, toSeconds } from '@errand/platform';
import type * as v from 'valibot';
import type { modelEntry, modelList } from './schema.ts';

interface ListedModel {
  id: string;
  description: string;
  model: Model;
}

/** Every model, each before its compressed variant. */
export const listedModels = ({ models }: Catalogue): ListedModel[] => models.flatMap(withVariant);

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

type ModelEntry = v.InferOutput<typeof modelEntry>;

/** The model list: `data` as OpenAI's clients read it, and `models` for clients of the decision protocol. */
export function listModels(catalogue: Catalogue, nowMilliseconds: number): v.InferOutput<typeof modelList> {
  const listed = listedModels(catalogue);
  return {
    object: 'list',
    data: listed.map(({ id, model }) => entryOf(id, model, nowMilliseconds)),
    models: listed.map(({ id, description, model }) => ({
      name: id,
      description,
      release_date: model.releaseDate ?? '',
    })),
  };
}

/** The entry of one model in `data`. Throws `model_not_found` for an unknown id. */
export function showModel(
  { catalogue, clock }: { catalogue: Catalogue; clock: Clock },
  principal: Principal,
  id: string,
): ModelEntry {
  const found = findModel(catalogue, id);
  if (!found) throw unknownModel(catalogue, id, (model, each) => mayUseModel(principal, each, model.id));
  return entryOf(id, found.model, clock());
}

function entryOf(id: string, model: Model, nowMilliseconds: number): ModelEntry {
  const { from: _, ...prices } = priceAt(model, nowMilliseconds);
  const contextTokens = contextOf(model);
  return {
    id,
    object: 'model',
    created: model.releaseDate === undefined ? 0 : toSeconds(Date.parse(model.releaseDate)),
    owned_by: model.ownedBy,
    kind: model.kind,
    context_length: contextTokens,
    // Clients of OpenRouter and its like take `prompt` and `completion` for dollars a token. Our prices are neither
    // in dollars nor per token.
    pricing: { currency: 'EUR', ...prices },
    capabilities: model.capabilities,
  };
}

const contextOf = ({ kind, contextTokens }: Model): number | undefined =>
  contextTokens ?? (kind === 'decision' ? limits.decisionContextTokens : undefined);
