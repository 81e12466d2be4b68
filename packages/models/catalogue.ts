import type { SpeechProtocolName } from './speech/protocols.ts';

export const modelKinds = ['chat', 'vision', 'speech', 'decision'] as const;

/** `vision` is chat that takes pictures. */
export type ModelKind = (typeof modelKinds)[number];

/** One server that has the model. */
export interface ModelUpstream {
  /** With the version prefix, without a slash at the end: `https://api.example.com/v1`. */
  baseUrl: string;
  /** The name of the secret that holds the key. */
  apiKeyEnv?: string;
  /** The key itself. Never logged, never part of an error. */
  apiKey?: string;
  /** The model's name on this server. */
  model: string;
  /** Of a speech model; `openai` where absent. */
  protocol?: SpeechProtocolName;
}

/** EUR, with at most 9 decimals, so that an amount in nano-euro is exact. */
export interface Price {
  inputPerMillionTokens?: number;
  /** Input that the upstream had in its prompt cache; the input price where absent. */
  cachedInputPerMillionTokens?: number;
  outputPerMillionTokens?: number;
  perSecond?: number;
}

/** Watts of the servers that one batch of requests shares. */
export interface PowerModel {
  watts: number;
  batch: number;
  pue: number;
}

export interface TokenModel {
  activeBillionParameters: number;
  totalBillionParameters: number;
  pue: number;
}

/** How a decision upstream is asked; the first where a catalogue does not say. */
export const decisionEngines = ['systemone', 'prompt_logprobs', 'token_ids_logprob'] as const;

export type DecisionEngine = (typeof decisionEngines)[number];

export interface Model {
  id: string;
  kind: ModelKind;
  description: string;
  ownedBy: string;
  /** `YYYY-MM-DD`. */
  releaseDate?: string;
  upstream: ModelUpstream;
  /** Tried in order when the one before is busy or unreachable. */
  fallbacks: ModelUpstream[];
  price: Price;
  /** Whether `<id>-compressed` exists. */
  compressed: boolean;
  contextTokens?: number;
  energy?: PowerModel | TokenModel;
  engine?: DecisionEngine;
}

export type Role = 'reasoning' | 'vision' | 'speech' | 'decision';

export interface Catalogue {
  models: Model[];
  /** Ids of the models that do the service's own work. A role that no model has is absent. */
  roles: Partial<Record<Role, string>>;
}

export const compressedSuffix = '-compressed';

/** The model with this id, or the one whose compressed variant it names. */
export function findModel(
  catalogue: Catalogue,
  id: string,
): { model: Model; compressed: boolean } | undefined {
  const exact = catalogue.models.find((model) => model.id === id);
  if (exact) return { model: exact, compressed: false };
  if (!id.endsWith(compressedSuffix)) return undefined;
  const base = id.slice(0, -compressedSuffix.length);
  const model = catalogue.models.find((candidate) => candidate.id === base && candidate.compressed);
  return model && { model, compressed: true };
}

/** The model that does this part of the service's own work; undefined where none is configured. */
export function roleModel(catalogue: Catalogue, role: Role): Model | undefined {
  const id = catalogue.roles[role];
  return id === undefined ? undefined : catalogue.models.find((model) => model.id === id);
}
