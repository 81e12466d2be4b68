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

/** The operator's catalogue with `model` for reasoning. The made models fill the roles of speech and decision if they are free. */
export async function operatorCatalogue(file: string, model: string, origin: string): Promise<Catalogue> {
  const own = JSON.parse(await readFile(file, 'utf8')) as Catalogue;
  if (!own.models.some(({ id }) => id === model)) throw new Error(`The catalogue has no model ${model}.`);
  const made = madeCatalogue(origin, defaultContextTokens);
  const roles = { ...own.roles, reasoning: model };
  const filled = Object.entries(made.roles ?? {}).filter(([role]) => !(role in roles));
  const added = made.models.filter(({ id }) => filled.some(([, name]) => name === id));
  return { models: [...own.models, ...added], roles: { ...roles, ...Object.fromEntries(filled) } };
}

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
