import { modelId, notList, oneOf, type Price, priceFields, remoteLabel, repeatRules } from '@errand/platform';
import * as v from 'valibot';
import { decisionEntries, labelReaders } from './decision-engines.ts';
import { fieldRules, foldName, toolTypes } from './field-rules.ts';
import { runSettings } from './run-parameters.ts';

/*
 * The shape of a catalogue. Each field is checked by itself; parse-catalogue.ts checks fields against each other.
 * docs/catalogue.md says what the fields mean.
 */

/** `vision` is chat that takes pictures. */
export const modelKinds = ['chat', 'vision', 'speech', 'decision', 'embedding'] as const;

export const writesText = (kind: ModelKind): boolean => kind === 'chat' || kind === 'vision';

/** What a model can do: for chat completions, and with images for decisions. */
export const capabilityNames = ['tools', 'images', 'structuredOutput', 'streaming'] as const;

/** The protocols of speech models. The first is the default. */
export const speechProtocolNames = ['openai', 'deepgram'] as const;

/** How a server of chat models is spoken to: `responses` where callers ask for responses, `messages` always. The first is the default. */
const upstreamApis = ['chat', 'responses', 'messages'] as const;

/** Where an upstream wants its key: `authorization` has it as a bearer token. */
const keyHeaders = ['authorization', 'x-api-key'] as const;

/** How an upstream is told what to keep of a run's requests. Most upstreams keep what requests begin with unasked. */
const cachings = ['anthropic', 'openai'] as const;

/** How an image that a chat completion names by its address is handled. The first is the default. */
export const imageUrlRules = ['pass', 'inline', 'refuse'] as const;

/** The roles of models in the service's own work, each with the kinds of models that can have it. */
export const roleKinds = {
  reasoning: ['chat', 'vision'],
  vision: ['chat', 'vision'],
  speech: ['speech'],
  decision: ['decision'],
  embedding: ['embedding'],
} as const satisfies Record<string, readonly ModelKind[]>;

export type ModelKind = (typeof modelKinds)[number];
export type Role = keyof typeof roleKinds;
export type Capabilities = Readonly<Record<(typeof capabilityNames)[number], boolean>>;

const maximumPrice = 10_000;
const longestSilenceSeconds = 3_600;
const longestFirstByteSeconds = 600;

/** JavaScript reads the 31st of February as a day of March, so the date is written back and compared. */
function isDate(text: string): boolean {
  const date = new Date(text);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text)
  );
}

const amount = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(maximumPrice, `must be at most ${maximumPrice}`),
  v.check((value) => Number(value.toFixed(9)) === value, 'must have at most 9 decimals'),
);

const date = v.pipe(v.string('must be a string'), v.check(isDate, 'must be a date such as 2026-01-31'));

const priceNames = Object.keys(priceFields) as (keyof typeof priceFields)[];

const price = v.object(
  { from: v.optional(date), ...v.entriesFromList(priceNames, v.optional(amount)) },
  'must be an object or a list of objects',
);

const prices = v.pipe(v.array(price), v.minLength(1, 'must have at least one price'));

const positive = v.pipe(
  v.number('must be a number'),
  v.finite('must be finite'),
  v.gtValue(0, 'must be over 0'),
);

const words = v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'));

const baseUrl = v.pipe(
  v.string('must be a string'),
  v.check((value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  }, 'must be an http(s) URL without credentials'),
  v.check((value) => !/[?#]/.test(value), 'must have no query and no fragment: paths are added to it'),
  v.transform((value) => value.replace(/\/+$/, '')),
);

const urlPath = v.pipe(
  v.string('must be a string'),
  v.regex(/^(?:\/[\w.~!$&'()*+,;=:@%-]+)+$/, 'must be a path such as /v1/systemone'),
);

const wholeNumber = v.pipe(positive, v.integer('must be a whole number'));

/** Fields that the service reads and writes itself. */
const ownFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'skills']);

const fields = v.pipe(
  notList,
  v.record(v.string(), oneOf(fieldRules), 'must be an object'),
  v.transform((rules) =>
    Object.fromEntries(Object.entries(rules).map(([name, rule]) => [foldName(name), rule])),
  ),
  v.check(
    (rules) => !Object.keys(rules).some((name) => ownFields.has(name)),
    `must not have ${[...ownFields].join(', ')}: the service writes these itself`,
  ),
  v.check((rules) => rules[toolTypes] !== 'drop', `must pass or refuse ${toolTypes}`),
);

const upstream = v.object({
  /** With the version prefix and without a slash at the end: `https://api.example.com/v1`. */
  baseUrl,
  /** The name of the secret that holds the key. */
  apiKeyEnv: v.optional(words),
  /** The model's name on this server. */
  model: words,
  /** For chat and vision models only: `responses` where the server has OpenAI's Responses, `messages` where it has Anthropic's Messages. */
  api: v.optional(oneOf(upstreamApis)),
  /** `x-api-key` if absent where `api` is `messages`, else `authorization`. */
  keyHeader: v.optional(oneOf(keyHeaders)),
  /** For chat and vision models only: whether the server's chat completions have custom tools. */
  customTools: v.optional(v.boolean('must be true or false')),
  /** For label readers only: what this server is asked by, where that is another than the model's `engine`. */
  engine: v.optional(oneOf(labelReaders)),
  /** For the engine `systemone` only: where the server has the protocol; `/v1/systemone` if absent. */
  path: v.optional(urlPath),
  /** For speech models only. */
  protocol: v.optional(oneOf(speechProtocolNames)),
  /** For chat and vision models only: how the server is told what to keep of a run's requests. */
  caching: v.optional(oneOf(cachings)),
  /** Rules for fields of callers' chat completions that differ from the defaults, by folded name. */
  fields: v.optional(fields),
});

const pue = v.optional(v.pipe(v.number('must be a number'), v.minValue(1, 'must be at least 1')), 1.2);

/** Energy from the power of the servers; docs/impact.md has the formula. */
const powerModel = v.object({ watts: positive, batch: v.optional(positive, 1), pue });

const tokenModel = v.pipe(
  v.object({ activeBillionParameters: positive, totalBillionParameters: positive, pue }),
  v.check(
    ({ activeBillionParameters: active, totalBillionParameters: total }) => active <= total,
    'must not have more active parameters than there are',
  ),
);

const flag = v.boolean('must be true or false');

const capabilities = v.pipe(
  notList,
  v.strictObject(v.entriesFromList(capabilityNames, v.optional(flag)), ({ expected }) =>
    expected === 'never' ? `must be one of ${capabilityNames.join(', ')}` : 'must be an object',
  ),
);

export const modelSchema = v.object({
  id: v.pipe(v.string('must be a string'), modelId),
  kind: oneOf(modelKinds),
  description: v.optional(v.string('must be a string'), ''),
  ownedBy: v.optional(words, 'system'),
  /** `YYYY-MM-DD`. */
  releaseDate: v.optional(date),
  upstream,
  /** Each fallback is tried if the one before it is busy, too slow or unreachable. */
  fallbacks: v.optional(v.array(upstream, 'must be a list'), []),
  price: v.lazy((input) => (Array.isArray(input) ? prices : price)),
  compressed: v.optional(flag),
  contextTokens: v.optional(wholeNumber),
  /** The most choices (`n`) of a chat completion; `limits.choicesPerCompletion` if absent. */
  maxChoices: v.optional(wholeNumber),
  /** The most output tokens that a chat completion may ask for; `contextTokens` if absent. */
  maxOutputTokens: v.optional(wholeNumber),
  /**
   * The output that is reserved for an answer without `max_tokens`. If absent, `limits.reservedReasoningTokens` for a model
   * with hidden reasoning, `limits.reservedOutputTokens` for any other.
   */
  outputTokens: v.optional(wholeNumber),
  /**
   * True if the model bills hidden reasoning: tokens that it thinks in and does not write. If absent, it counts as true
   * once the model's usage has any; with false it never does.
   */
  hiddenReasoning: v.optional(flag),
  /** For runs alone: what their completions send. */
  runs: v.optional(runSettings),
  /** The input that is reserved for a picture, the most that it counts as; `limits.reservedImageTokens` if absent. */
  imageTokens: v.optional(wholeNumber),
  imageUrls: v.optional(oneOf(imageUrlRules)),
  /** The same as `capabilities.tools`, from before there were others. */
  tools: v.optional(flag),
  capabilities: v.optional(capabilities),
  /** The longest silence in a stream; `limits.upstreamSilenceSeconds` if absent. */
  silenceSeconds: v.optional(
    v.pipe(wholeNumber, v.maxValue(longestSilenceSeconds, `must be at most ${longestSilenceSeconds}`)),
  ),
  /** The next upstream is asked if nothing of an answer has come by then. Never, if absent. */
  firstByteSeconds: v.optional(
    v.pipe(wholeNumber, v.maxValue(longestFirstByteSeconds, `must be at most ${longestFirstByteSeconds}`)),
  ),
  energy: v.optional(
    v.union(
      [powerModel, tokenModel],
      'must be { watts, batch, pue } or { activeBillionParameters, totalBillionParameters, pue }',
    ),
  ),
  ...decisionEntries,
});

const mcpServer = v.strictObject({
  name: remoteLabel,
  url: v.pipe(
    v.string('must be a string'),
    v.check((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be an http(s) URL'),
  ),
  /** The name of the secret that holds the authorization. */
  authorizationEnv: v.optional(words),
  /** The only tools that are offered. All of them if absent. */
  allowedTools: v.optional(v.array(words, 'must be a list')),
  /** Whether a call whose outcome is unknown is made again. By the tools' annotations if absent. */
  repeat: v.optional(oneOf(repeatRules)),
  /** The accounts whose runs may use it. */
  accounts: v.union([v.literal('all'), v.array(words)], 'must be "all" or a list of account ids'),
});

export const catalogueSchema = v.object({
  models: v.pipe(v.array(modelSchema, 'must be a list'), v.minLength(1, 'must have at least one model')),
  mcpServers: v.optional(
    v.pipe(
      v.array(mcpServer, 'must be a list'),
      v.check(
        (servers) => new Set(servers.map(({ name }) => name)).size === servers.length,
        'must not have a name twice',
      ),
    ),
    [],
  ),
  /** The ids of the models that do the service's own work. */
  roles: v.optional(v.object(v.entriesFromList(Object.keys(roleKinds) as Role[], v.optional(words))), {}),
});

export type SentCatalogue = v.InferOutput<typeof catalogueSchema>;
export type SentModel = SentCatalogue['models'][number];

export type TokenModel = v.InferOutput<typeof tokenModel>;

/** One server that has the model. */
export interface ModelUpstream extends v.InferOutput<typeof upstream> {
  /** The key itself. Never logged, never part of an error. */
  apiKey?: string;
}

export interface Model extends Omit<SentModel, 'price' | 'tools'> {
  upstream: ModelUpstream;
  fallbacks: ModelUpstream[];
  /** By date. The first also holds before its own date. */
  prices: readonly [Price, ...Price[]];
  /** Whether `<id>-compressed` exists. */
  compressed: boolean;
  capabilities: Capabilities;
}

/** A server of tools that runs may name. */
export interface McpServer extends v.InferOutput<typeof mcpServer> {
  /** The authorization itself. Never logged, never part of an error. */
  authorization?: string;
}

export interface Catalogue {
  models: Model[];
  mcpServers?: readonly McpServer[];
  /** A role without a model is absent. */
  roles: SentCatalogue['roles'];
}
