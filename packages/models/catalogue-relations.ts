import * as v from 'valibot';
import { capabilityNames } from './capabilities.ts';
import { compressedSuffix, decisionEngines, labelReaders, type Model, type Role } from './catalogue.ts';
import { modelKind } from './catalogue-schema.ts';
import { defaultSpeechProtocol, speechProtocols } from './speech/protocols.ts';

/** Gives the value of the environment variable that an `apiKeyEnv` names. */
export type Secret = (name: string) => string | undefined;

const rolesOf: Record<Role, readonly Model['kind'][]> = {
  reasoning: ['chat', 'vision'],
  vision: ['chat', 'vision'],
  speech: ['speech'],
  decision: ['decision'],
};

const looseUpstream = v.fallback(
  v.object({
    apiKeyEnv: v.fallback(v.optional(v.string()), undefined),
    protocol: v.fallback(v.optional(v.string()), undefined),
    path: v.fallback(v.optional(v.string()), undefined),
    api: v.fallback(v.optional(v.string()), undefined),
  }),
  {},
);

const loosePrice = v.looseObject({});

/** The fields that checks between fields and entries need. A field that is invalid by itself is read as absent. */
const looseSchema = v.object({
  models: v.array(
    v.fallback(
      v.object({
        id: v.fallback(v.optional(v.string()), undefined),
        kind: v.fallback(v.optional(modelKind), undefined),
        compressed: v.fallback(v.optional(v.boolean()), undefined),
        tools: v.fallback(v.optional(v.boolean()), undefined),
        engine: v.fallback(v.optional(v.string()), undefined),
        imageUrls: v.fallback(v.optional(v.string()), undefined),
        calibration: v.optional(v.unknown()),
        capabilities: v.fallback(v.record(v.string(), v.unknown()), {}),
        price: v.fallback(v.union([v.array(v.fallback(v.nullable(loosePrice), null)), loosePrice]), []),
        upstream: looseUpstream,
        fallbacks: v.fallback(v.array(looseUpstream), []),
      }),
      { price: [], upstream: {}, fallbacks: [], capabilities: {} },
    ),
  ),
  roles: v.fallback(v.record(v.string(), v.fallback(v.optional(v.string()), undefined)), {}),
});

type Loose = v.InferOutput<typeof looseSchema>;
type LooseModel = Loose['models'][number];

/** Problems between fields or entries, each with its place. They are found even if other fields are invalid. */
export function relationProblems(json: unknown, secret: Secret): string[] {
  const loose = v.safeParse(looseSchema, json);
  if (!loose.success) return [];
  const { models, roles } = loose.output;
  const ids = new Set<string>();
  const problems = models.flatMap((entry, index) => {
    const at = `models[${index}]`;
    const found = [
      ...priceProblems(entry, at),
      ...protocolProblems(entry, at),
      ...decisionProblems(entry, at),
      ...apiProblems(entry, at),
      ...calibrationProblems(entry, at),
      ...capabilityProblems(entry, at),
      ...secretProblems(entry, at, secret),
    ];
    for (const name of namesOf(entry)) {
      if (ids.has(name)) found.push(`${at}.id ${name} is there twice`);
      ids.add(name);
    }
    return found;
  });
  return [...problems, ...roleProblems({ models, roles })];
}

function namesOf(entry: LooseModel): string[] {
  if (entry.id === undefined) return [];
  return hasVariant(entry) ? [entry.id, entry.id + compressedSuffix] : [entry.id];
}

function roleProblems({ models, roles }: Loose): string[] {
  return Object.entries(rolesOf).flatMap(([role, kinds]: [string, readonly string[]]) => {
    const id = roles[role];
    if (id === undefined) return [];
    const named = models.find((entry) => entry.id === id);
    if (!named) return [`roles.${role} names no model of the catalogue`];
    const fits = named.kind === undefined || kinds.includes(named.kind);
    return fits ? [] : [`roles.${role} must name a ${kinds.join(' or ')} model`];
  });
}

/** Whether the model has a `-compressed` variant. */
export const hasVariant = ({ kind, compressed }: Pick<LooseModel, 'kind' | 'compressed'>): boolean =>
  (kind === 'chat' || kind === 'vision') && compressed !== false;

const neededPrices = {
  chat: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  vision: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  speech: ['perSecond'],
  decision: ['inputPerMillionTokens'],
} as const;

function priceProblems({ kind, price }: LooseModel, at: string): string[] {
  const days = new Set<unknown>();
  return [price].flat().flatMap((one, index) => {
    if (!one) return [];
    const place = Array.isArray(price) ? `${at}.price[${index}]` : `${at}.price`;
    const found = (kind ? neededPrices[kind] : [])
      .filter((field) => one[field] === undefined)
      .map((field) => `${place}.${field} must be given for a ${kind} model`);
    const { from } = one;
    if (days.has(from))
      found.push(from === undefined ? `${place}.from must be given` : `${place}.from ${from} is there twice`);
    days.add(from);
    return found;
  });
}

function secretProblems({ upstream: first, fallbacks }: LooseModel, at: string, secret: Secret): string[] {
  const places = [
    { place: `${at}.upstream`, upstream: first },
    ...fallbacks.map((upstream, index) => ({ place: `${at}.fallbacks[${index}]`, upstream })),
  ];
  return places.flatMap(({ place, upstream: { apiKeyEnv } }) => {
    if (!apiKeyEnv) return [];
    const key = secret(apiKeyEnv);
    if (!key) return [`${place}.apiKeyEnv ${apiKeyEnv} is not set`];
    return headerWord.test(key) ? [] : [`${place}.apiKeyEnv ${apiKeyEnv} has characters that no key has`];
  });
}

/** A key goes into a header, which carries visible ASCII only. */
const headerWord = /^[\x21-\x7e]+$/;

/** Only models that write can call tools, or do anything else of that kind. */
function capabilityProblems({ kind, tools, capabilities }: LooseModel, at: string): string[] {
  const both = tools !== undefined && (capabilities.tools ?? tools) !== tools;
  const found = both ? [`${at}.capabilities.tools says another thing than tools`] : [];
  if (kind === undefined || kind === 'chat' || kind === 'vision') return found;
  if (tools !== undefined) found.push(`${at}.tools is for chat and vision models`);
  const claimed = capabilityNames.filter((name) => capabilities[name] === true);
  return [...found, ...claimed.map((name) => `${at}.capabilities.${name} is for chat and vision models`)];
}

/** A temperature divides log-probabilities, which other engines do not read. */
function calibrationProblems({ kind, engine, calibration }: LooseModel, at: string): string[] {
  if (calibration === undefined || kind === undefined) return [];
  if (kind !== 'decision') return [`${at}.calibration is for decision models`];
  return labelReaders.some((name) => name === engine)
    ? []
    : [`${at}.calibration is for the engines ${labelReaders.join(' and ')}`];
}

/** Only speech models have a choice of protocols. */
function protocolProblems({ kind, upstream: first, fallbacks }: LooseModel, at: string): string[] {
  if (kind === undefined || kind === 'speech') return [];
  const other = [first, ...fallbacks].find(({ protocol = defaultSpeechProtocol }) =>
    Object.keys(speechProtocols).some((name) => name === protocol && name !== defaultSpeechProtocol),
  );
  return other ? [`${at}.upstream.protocol ${other.protocol} is for speech models`] : [];
}

/** Images that are fetched here come to an upstream in the messages of a chat completion. */
function apiProblems({ kind, imageUrls, upstream: first, fallbacks }: LooseModel, at: string): string[] {
  if (![first, ...fallbacks].some(({ api }) => api === 'responses')) return [];
  if (kind === 'speech' || kind === 'decision') return [`${at}.upstream.api is for chat and vision models`];
  return imageUrls === 'inline' ? [`${at}.imageUrls must be pass or refuse with upstream.api responses`] : [];
}

/** Only one engine has a choice of paths, and decisions have no images that are fetched for them. */
function decisionProblems(entry: LooseModel, at: string): string[] {
  const { kind, engine = decisionEngines[0], imageUrls, upstream: first, fallbacks } = entry;
  if (kind === undefined) return [];
  const isSystemOne = kind === 'decision' && engine === 'systemone';
  const found: string[] = [];
  if (!isSystemOne && [first, ...fallbacks].some(({ path }) => path !== undefined))
    found.push(`${at}.upstream.path is for decision models with the engine systemone`);
  if (kind === 'decision' && imageUrls === 'inline')
    found.push(`${at}.imageUrls must be pass or refuse for a decision model`);
  return found;
}
