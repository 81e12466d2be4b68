import { ConfigError, issuesOf } from '@errand/platform';
import * as v from 'valibot';
import { type Catalogue, compressedSuffix, type Model, type ModelUpstream, type Role } from './catalogue.ts';

const maximumPrice = 10_000;

/** Of the calendar: JavaScript takes the 31st of February for one of March. */
function isDate(text: string): boolean {
  const date = new Date(text);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text)
  );
}

const price = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(maximumPrice, `must be at most ${maximumPrice}`),
  v.check((value) => Number(value.toFixed(9)) === value, 'must have at most 9 decimals'),
);

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

const upstream = v.object({
  baseUrl,
  apiKeyEnv: v.optional(words),
  model: words,
  protocol: v.optional(v.picklist(['openai', 'deepgram'], 'must be openai or deepgram')),
});

const pue = v.optional(v.pipe(v.number('must be a number'), v.minValue(1, 'must be at least 1')), 1.2);

const energy = v.union(
  [
    v.object({ watts: positive, batch: v.optional(positive, 1), pue }),
    v.pipe(
      v.object({ activeBillionParameters: positive, totalBillionParameters: positive, pue }),
      v.check(
        ({ activeBillionParameters: active, totalBillionParameters: total }) => active <= total,
        'must not have more active parameters than there are',
      ),
    ),
  ],
  'must be { watts, batch, pue } or { activeBillionParameters, totalBillionParameters, pue }',
);

const model = v.object({
  id: v.pipe(
    v.string('must be a string'),
    v.regex(/^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/, 'must be 1 to 128 letters, digits and . _ : @ / -'),
  ),
  kind: v.picklist(['chat', 'vision', 'speech', 'decision'], 'must be chat, vision, speech or decision'),
  description: v.optional(v.string('must be a string'), ''),
  ownedBy: v.optional(words, 'system'),
  releaseDate: v.optional(
    v.pipe(v.string('must be a string'), v.check(isDate, 'must be a date such as 2026-01-31')),
  ),
  upstream,
  fallbacks: v.optional(v.array(upstream, 'must be a list'), []),
  price: v.object(
    {
      inputPerMillionTokens: v.optional(price),
      cachedInputPerMillionTokens: v.optional(price),
      outputPerMillionTokens: v.optional(price),
      perSecond: v.optional(price),
    },
    'must be an object',
  ),
  compressed: v.optional(v.boolean('must be true or false')),
  contextTokens: v.optional(v.pipe(positive, v.integer('must be a whole number'))),
  energy: v.optional(energy),
  engine: v.optional(
    v.picklist(
      ['systemone', 'prompt_logprobs', 'token_ids_logprob'],
      'must be systemone, prompt_logprobs or token_ids_logprob',
    ),
  ),
});

const schema = v.object({
  models: v.pipe(v.array(model, 'must be a list'), v.minLength(1, 'must have at least one model')),
  roles: v.optional(
    v.object({
      reasoning: v.optional(words),
      vision: v.optional(words),
      speech: v.optional(words),
      decision: v.optional(words),
    }),
    {},
  ),
});

type Parsed = v.InferOutput<typeof schema>;
type ParsedModel = Parsed['models'][number];

const rolesOf: Record<Role, readonly Model['kind'][]> = {
  reasoning: ['chat', 'vision'],
  vision: ['chat', 'vision'],
  speech: ['speech'],
  decision: ['decision'],
};

/** Throws `ConfigError` with every problem, one a line. `secret` gives the value of an `apiKeyEnv`. */
export function parseCatalogue(json: unknown, secret: Secret): Catalogue {
  const parsed = v.safeParse(schema, json);
  const problems = [
    ...issuesOf(parsed.issues ?? []).map(
      ({ field, problem }) => `${field.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${problem}`,
    ),
    ...relations(json, secret),
  ];
  if (!parsed.success || problems.length > 0)
    throw new ConfigError(problems.map((problem) => `catalogue: ${problem.trim()}`).join('\n'));
  const { models, roles } = parsed.output;
  return {
    models: models.map((entry) => toModel(entry, secret)),
    roles: Object.fromEntries(Object.entries(roles).filter(([, id]) => id !== undefined)),
  };
}

type Secret = (name: string) => string | undefined;

const looseUpstream = v.fallback(
  v.object({
    apiKeyEnv: v.fallback(v.optional(v.string()), undefined),
    protocol: v.fallback(v.optional(v.string()), undefined),
  }),
  {},
);

/** As much of a catalogue as its entries ask of each other; what is wrong in itself is left out. */
const looseSchema = v.object({
  models: v.array(
    v.fallback(
      v.object({
        id: v.fallback(v.optional(v.string()), undefined),
        kind: v.fallback(v.optional(model.entries.kind), undefined),
        compressed: v.fallback(v.optional(v.boolean()), undefined),
        price: v.fallback(v.optional(v.looseObject({})), undefined),
        upstream: looseUpstream,
        fallbacks: v.fallback(v.array(looseUpstream), []),
      }),
      { upstream: {}, fallbacks: [] },
    ),
  ),
  roles: v.fallback(v.record(v.string(), v.fallback(v.optional(v.string()), undefined)), {}),
});

type Loose = v.InferOutput<typeof looseSchema>;
type LooseModel = Loose['models'][number];

/** What one entry asks of another; told also of a catalogue that is wrong elsewhere. */
function relations(json: unknown, secret: Secret): string[] {
  const loose = v.safeParse(looseSchema, json);
  if (!loose.success) return [];
  const { models, roles } = loose.output;
  const ids = new Set<string>();
  const problems = models.flatMap((entry, index) => {
    const at = `models[${index}]`;
    const found = [
      ...priceProblems(entry, at),
      ...protocolProblems(entry, at),
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

const hasVariant = ({ kind, compressed }: Pick<LooseModel, 'kind' | 'compressed'>): boolean =>
  (kind === 'chat' || kind === 'vision') && compressed !== false;

const neededPrices = {
  chat: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  vision: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  speech: ['perSecond'],
  decision: ['inputPerMillionTokens'],
} as const;

function priceProblems({ kind, price: given }: LooseModel, at: string): string[] {
  if (!kind || !given) return [];
  return neededPrices[kind]
    .filter((field) => given[field] === undefined)
    .map((field) => `${at}.price.${field} must be given for a ${kind} model`);
}

function secretProblems({ upstream: first, fallbacks }: LooseModel, at: string, secret: Secret): string[] {
  const places = [
    { place: `${at}.upstream`, given: first },
    ...fallbacks.map((given, index) => ({ place: `${at}.fallbacks[${index}]`, given })),
  ];
  return places.flatMap(({ place, given: { apiKeyEnv } }) => {
    if (!apiKeyEnv) return [];
    const key = secret(apiKeyEnv);
    if (!key) return [`${place}.apiKeyEnv ${apiKeyEnv} is not set`];
    return headerWord.test(key) ? [] : [`${place}.apiKeyEnv ${apiKeyEnv} has characters that no key has`];
  });
}

/** What a header can carry. */
const headerWord = /^[\x21-\x7e]+$/;

function protocolProblems({ kind, upstream: first, fallbacks }: LooseModel, at: string): string[] {
  const speaksDeepgram = [first, ...fallbacks].some(({ protocol }) => protocol === 'deepgram');
  return kind !== undefined && kind !== 'speech' && speaksDeepgram
    ? [`${at}.upstream.protocol deepgram is for speech models`]
    : [];
}

/** Valibot leaves optional keys out; only its types say that they may be undefined. */
function toModel(entry: ParsedModel, secret: (name: string) => string | undefined): Model {
  return {
    ...(entry as Model),
    compressed: hasVariant(entry),
    upstream: toUpstream(entry.upstream, secret),
    fallbacks: entry.fallbacks.map((given) => toUpstream(given, secret)),
    ...(entry.kind === 'decision' && { engine: entry.engine ?? 'systemone' }),
  };
}

function toUpstream(
  given: ParsedModel['upstream'],
  secret: (name: string) => string | undefined,
): ModelUpstream {
  const apiKey = given.apiKeyEnv === undefined ? undefined : secret(given.apiKeyEnv);
  return { ...(given as ModelUpstream), ...(apiKey !== undefined && { apiKey }) };
}
