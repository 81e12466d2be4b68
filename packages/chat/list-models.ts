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
import { anthropicCapabilities, anthropicFields } from './anthropic-model.ts';
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

interface Listing {
  nowMilliseconds: number;
  /** Whether the caller is a client of Anthropic, which reads more of a model. */
  isAnthropic: boolean;
}

/** The model list: `data` as clients of OpenAI and Anthropic read it, and `models` for clients of the decision protocol. */
export function listModels(catalogue: Catalogue, listing: Listing): v.InferOutput<typeof modelList> {
  const listed = listedModels(catalogue);
  return {
    object: 'list',
    data: listed.map(({ id, model }) => entryOf(id, model, listing)),
    has_more: false,
    first_id: listed[0]?.id ?? null,
    last_id: listed.at(-1)?.id ?? null,
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
  { id, isAnthropic }: { id: string; isAnthropic: boolean },
): ModelEntry {
  const found = findModel(catalogue, id);
  if (!found) throw unknownModel(catalogue, id, (model, each) => mayUseModel(principal, each, model.id));
  return entryOf(id, found.model, { nowMilliseconds: clock(), isAnthropic });
}

function entryOf(id: string, model: Model, { nowMilliseconds, isAnthropic }: Listing): ModelEntry {
  const { from: _, ...prices } = priceAt(model, nowMilliseconds);
  const contextTokens = contextOf(model);
  const { releaseDate = unknownDate } = model;
  return {
    id,
    object: 'model',
    type: 'model',
    display_name: id,
    created_at: new Date(releaseDate).toISOString(),
    created: toSeconds(Date.parse(releaseDate)),
    owned_by: model.ownedBy,
    kind: model.kind,
    context_length: contextTokens,
    // Clients of OpenRouter and its like take `prompt` and `completion` for dollars a token. Our prices are neither
    // in dollars nor per token.
    pricing: { currency: 'EUR', ...prices },
    capabilities: { ...model.capabilities, ...(isAnthropic && anthropicCapabilities(model)) },
    ...(isAnthropic && anthropicFields(model, contextTokens)),
  };
}

const unknownDate = '1970-01-01';

const contextOf = ({ kind, contextTokens }: Model): number | undefined =>
  contextTokens ?? (kind === 'decision' ? limits.decisionContextTokens : undefined);
