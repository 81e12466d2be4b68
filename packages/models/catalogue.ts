import type { Price } from '@errand/platform';
import type { Capabilities } from './capabilities.ts';
import type { FieldRule } from './request-fields.ts';
import type { SpeechProtocolName } from './speech/protocols.ts';

export const modelKinds = ['chat', 'vision', 'speech', 'decision'] as const;

/** How a server of chat models is spoken to where callers ask for responses. The first is the default. */
export const upstreamApis = ['chat', 'responses'] as const;

export type UpstreamApi = (typeof upstreamApis)[number];

/** `vision` is chat that takes pictures. */
export type ModelKind = (typeof modelKinds)[number];

/** One server that has the model. */
export interface ModelUpstream {
  /** With the version prefix and without a slash at the end: `https://api.example.com/v1`. */
  baseUrl: string;
  /** The name of the secret that holds the key. */
  apiKeyEnv?: string;
  /** The key itself. Never logged, never part of an error. */
  apiKey?: string;
  /** The model's name on this server. */
  model: string;
  /** For chat and vision models only: `responses` where the server has OpenAI's Responses; `chat` if absent. */
  api?: UpstreamApi;
  /** For the engine `systemone` only: where the server has the protocol; `/v1/systemone` if absent. */
  path?: string;
  /** For speech models only; `defaultSpeechProtocol` if absent. */
  protocol?: SpeechProtocolName;
  /** Rules for fields of callers' chat completions that differ from the defaults, by folded name. */
  fields?: Readonly<Record<string, FieldRule>>;
}

/** Energy from the power of the servers; docs/impact.md has the formula. */
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

/** The ways to ask a decision upstream. The first is the default. */
export const decisionEngines = [
  'systemone',
  'prompt_logprobs',
  'token_ids_logprob',
  'openai_decisions',
] as const;

export type DecisionEngine = (typeof decisionEngines)[number];

/** The engines that read log-probabilities of labels, which a temperature can calibrate. */
export const labelReaders: readonly DecisionEngine[] = ['prompt_logprobs', 'token_ids_logprob'];

/** What a temperature may be. */
export const temperatureBounds = { least: 0.05, most: 20 };

/** What becomes of an image that a chat completion names by its address. The first is the default. */
export const imageUrlRules = ['pass', 'inline', 'refuse'] as const;

export type ImageUrlRule = (typeof imageUrlRules)[number];

export interface Model {
  id: string;
  kind: ModelKind;
  description: string;
  ownedBy: string;
  /** `YYYY-MM-DD`. */
  releaseDate?: string;
  upstream: ModelUpstream;
  /** Each fallback is tried if the one before it is busy, too slow or unreachable. */
  fallbacks: ModelUpstream[];
  /** By date. The first also holds before its own date. */
  prices: readonly [Price, ...Price[]];
  /** Whether `<id>-compressed` exists. */
  compressed: boolean;
  contextTokens?: number;
  /** The most choices (`n`) of a chat completion; `limits.choicesPerCompletion` if absent. */
  maxChoices?: number;
  /** The most output tokens that a chat completion may ask for; `contextTokens` if absent. */
  maxOutputTokens?: number;
  /**
   * The output that is reserved for an answer without `max_tokens`. If absent, `limits.reservedReasoningTokens` for a model
   * with hidden reasoning, `limits.reservedOutputTokens` for any other.
   */
  outputTokens?: number;
  /**
   * Whether the model bills tokens that it thinks in and does not write. If absent, it is taken to once its usage says so;
   * with false it never is.
   */
  hiddenReasoning?: boolean;
  /** The input that is reserved for a picture, the most that it counts as; `limits.reservedImageTokens` if absent. */
  imageTokens?: number;
  imageUrls?: ImageUrlRule;
  capabilities: Capabilities;
  /** The longest silence in a stream; `limits.upstreamSilenceSeconds` if absent. */
  silenceSeconds?: number;
  energy?: PowerModel | TokenModel;
  engine?: DecisionEngine;
  /** The log-probabilities of labels are divided by `temperature`; by 1 if absent. */
  calibration?: { temperature: number };
}

export type Role = 'reasoning' | 'vision' | 'speech' | 'decision';

/** A server of tools that runs may name. */
export interface McpServer {
  name: string;
  url: string;
  /** The name of the secret that holds the authorization. */
  authorizationEnv?: string;
  /** The authorization itself. Never logged, never part of an error. */
  authorization?: string;
  /** The only tools that are offered. All of them if absent. */
  allowedTools?: readonly string[];
  /** The accounts whose runs may use it. */
  accounts: 'all' | readonly string[];
}

export interface Catalogue {
  models: Model[];
  mcpServers?: readonly McpServer[];
  /** The ids of the models that do the service's own work. A role without a model is absent. */
  roles: Partial<Record<Role, string>>;
}

export const compressedSuffix = '-compressed';

/** The model with this id, or the model whose compressed variant has it. */
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

/** The server with this name, if the account may use it. */
export const findMcpServer = (
  { mcpServers = [] }: Catalogue,
  accountId: string,
  name: string,
): McpServer | undefined =>
  mcpServers.find(
    (server) => server.name === name && (server.accounts === 'all' || server.accounts.includes(accountId)),
  );

/** The model that has this role, if one is configured. */
export function roleModel(catalogue: Catalogue, role: Role): Model | undefined {
  const id = catalogue.roles[role];
  return id === undefined ? undefined : catalogue.models.find((model) => model.id === id);
}
