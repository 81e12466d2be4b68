import { readFile } from 'node:fs/promises';

/** A catalogue as its file has it. Only what the evaluation reads or changes is named. */
export interface Catalogue {
  models: CatalogueModel[];
  roles?: Record<string, string>;
}

interface CatalogueModel {
  id: string;
  kind: string;
  upstream: Upstream;
  fallbacks?: Upstream[];
  [field: string]: unknown;
}

interface Upstream {
  baseUrl: string;
  [field: string]: unknown;
}

const policyId = 'fixed-policy';

export const defaultContextTokens = 131_072;

/** The made models, with prices of a small model. */
export const madeCatalogue = (origin: string, contextTokens: number): Catalogue => ({
  models: [
    {
      id: policyId,
      kind: 'chat',
      upstream: { baseUrl: `${origin}/v1`, model: policyId },
      price: { inputPerMillionTokens: 0.4, cachedInputPerMillionTokens: 0.04, outputPerMillionTokens: 1.6 },
      contextTokens,
    },
    {
      id: 'made-speech',
      kind: 'speech',
      upstream: { baseUrl: `${origin}/v1`, model: 'made-speech-diarize' },
      price: { perSecond: 0.00001 },
    },
    {
      id: 'made-decisions',
      kind: 'decision',
      engine: 'systemone',
      upstream: { baseUrl: origin, model: 'made-decisions' },
      price: { inputPerMillionTokens: 0.1 },
      contextTokens: 16_384,
    },
  ],
  roles: { reasoning: policyId, speech: 'made-speech', decision: 'made-decisions' },
});

/** What is in the environment of the operator: a catalogue's file, or a model's address. Throws if neither is. */
export async function operatorCatalogue(env: NodeJS.ProcessEnv, id: string): Promise<Catalogue> {
  const { MODEL_CATALOGUE: file, MODEL_BASE_URL: baseUrl } = env;
  if (file) return JSON.parse(await readFile(file, 'utf8')) as Catalogue;
  if (!baseUrl) throw new Error('--model needs MODEL_CATALOGUE, or MODEL_BASE_URL with MODEL_API_KEY.');
  const upstream = { baseUrl, model: id, apiKeyEnv: 'MODEL_API_KEY' };
  const price = { inputPerMillionTokens: 0, outputPerMillionTokens: 0 };
  const contextTokens = Number(env.MODEL_CONTEXT_TOKENS || defaultContextTokens);
  return { models: [{ id, kind: 'chat', upstream, price, contextTokens }] };
}

/** The operator's catalogue with `id` for reasoning. The made models fill the roles of speech and decision if they are free. */
export function withModel(
  { id, catalogue }: { id: string; catalogue: Catalogue },
  made: Catalogue,
): Catalogue {
  if (!catalogue.models.some((model) => model.id === id))
    throw new Error(`The catalogue has no model ${id}.`);
  const roles = { ...catalogue.roles, reasoning: id };
  const filled = Object.entries(made.roles ?? {}).filter(([role]) => !(role in roles));
  const added = made.models.filter((model) => filled.some(([, name]) => name === model.id));
  return { models: [...catalogue.models, ...added], roles: { ...roles, ...Object.fromEntries(filled) } };
}

/** The catalogue with the made embedding model, for a service that has the role. */
export const withEmbeddings = (catalogue: Catalogue, origin: string): Catalogue => ({
  models: [
    ...catalogue.models,
    {
      id: 'made-embeddings',
      kind: 'embedding',
      upstream: { baseUrl: `${origin}/v1`, model: 'made-embeddings' },
      price: { inputPerMillionTokens: 0.02 },
      contextTokens: 8_192,
    },
  ],
  roles: { ...catalogue.roles, embedding: 'made-embeddings' },
});

/** The catalogue with other addresses for its chat and vision models. */
export function withAddresses(catalogue: Catalogue, addressOf: (baseUrl: string) => string): Catalogue {
  const moved = (upstream: Upstream): Upstream => ({ ...upstream, baseUrl: addressOf(upstream.baseUrl) });
  return {
    ...catalogue,
    models: catalogue.models.map((model) =>
      model.kind === 'chat' || model.kind === 'vision'
        ? {
            ...model,
            upstream: moved(model.upstream),
            ...(model.fallbacks && { fallbacks: model.fallbacks.map(moved) }),
          }
        : model,
    ),
  };
}
