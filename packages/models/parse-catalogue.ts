import { ConfigError, issuesOf, type Price, withChanges } from '@errand/platform';
import * as v from 'valibot';
import {
  type Capabilities,
  type Catalogue,
  capabilityNames,
  catalogueSchema,
  type McpServer,
  type Model,
  type ModelKind,
  type ModelUpstream,
  roleKinds,
  type SentCatalogue,
  type SentModel,
  speechProtocolNames,
  writesText,
} from './catalogue.ts';
import { decisionEngines, labelReaders } from './decision-engines.ts';
import { compressedSuffix } from './find-model.ts';

/** Gives the value of the environment variable that an `apiKeyEnv` names. */
type Secret = (name: string) => string | undefined;

/** Validates the JSON of a catalogue and looks up its keys. Throws `ConfigError` with every problem, one a line. */
export function parseCatalogue(json: unknown, secret: Secret): Catalogue {
  const { success, issues = [], output } = v.safeParse(catalogueSchema, json);
  const wrong = issuesOf(issues);
  const told = new Set(wrong.map(({ field }) => field));
  const problems = [
    ...wrong.map(({ field, problem }) => `${field} ${problem}`.trim()),
    ...relationProblems(withoutWrong(output, issues), secret).filter(
      (problem) => !told.has(problem.slice(0, problem.indexOf(' '))),
    ),
  ];
  if (!success || problems.length > 0)
    throw new ConfigError(problems.map((problem) => `catalogue: ${problem}`).join('\n'));
  return {
    models: output.models.map((entry) => toModel(entry, secret)),
    mcpServers: output.mcpServers.map((entry) => toServer(entry, secret)),
    roles: output.roles,
  };
}

function toServer(entry: McpServer, secret: Secret): McpServer {
  const { authorizationEnv: name } = entry;
  return { ...entry, authorization: name === undefined ? undefined : secret(name) };
}

function toModel({ price, tools, capabilities, ...entry }: SentModel, secret: Secret): Model {
  return {
    ...entry,
    prices: byDate([price].flat()),
    compressed: hasVariant(entry),
    capabilities: capabilitiesOf(entry, { tools, ...capabilities }),
    upstream: toUpstream(entry.upstream, secret),
    fallbacks: entry.fallbacks.map((fallback) => toUpstream(fallback, secret)),
    engine: entry.kind === 'decision' ? (entry.engine ?? decisionEngines[0]) : entry.engine,
  };
}

const byDate = (prices: readonly Price[]): Model['prices'] =>
  prices.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1)) as [Price, ...Price[]];

function toUpstream(entry: ModelUpstream, secret: Secret): ModelUpstream {
  const { apiKeyEnv: name } = entry;
  return { ...entry, apiKey: name === undefined ? undefined : secret(name) };
}

const none: Capabilities = { tools: false, images: false, structuredOutput: false, streaming: false };
const chat: Capabilities = { tools: true, images: false, structuredOutput: true, streaming: true };

const ofKind: Record<ModelKind, Capabilities> = {
  chat,
  vision: { ...chat, images: true },
  speech: none,
  decision: none,
  embedding: none,
};

/** What the catalogue says of a model, and what its kind and engine say where the catalogue does not. */
const capabilitiesOf = (
  { kind, engine }: Pick<SentModel, 'kind' | 'engine'>,
  said: Partial<Capabilities>,
): Capabilities =>
  withChanges({ ...ofKind[kind], ...(engine === 'openai_decisions' && { images: true }) }, said);

/** A parsed value in which parts that were invalid by themselves are absent. */
type Sound<T> = T extends readonly (infer Entry)[]
  ? (Sound<Entry> | undefined)[]
  : T extends object
    ? { [Field in keyof T]?: Sound<T[Field]> }
    : T;

type SoundModel = Sound<SentModel>;

/** The parsed value, with undefined in place of each part that has an issue. */
function withoutWrong(output: unknown, issues: readonly v.BaseIssue<unknown>[]): Sound<SentCatalogue> {
  const sound = { catalogue: structuredClone(output) };
  for (const { path = [] } of issues) {
    const keys = ['catalogue', ...path.map(({ key }) => String(key))];
    const last = keys.pop()!;
    const holder = keys.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      sound,
    );
    if (typeof holder === 'object' && holder !== null) Object.assign(holder, { [last]: undefined });
  }
  return (sound.catalogue ?? {}) as Sound<SentCatalogue>;
}

/** Problems between fields or entries, each with its place. They are found even if other fields are invalid. */
function relationProblems(
  { models = [], mcpServers = [], roles = {} }: Sound<SentCatalogue>,
  secret: Secret,
): string[] {
  const ids = new Set<string>();
  const problems = models.flatMap((entry = {}, index) => {
    const at = `models[${index}]`;
    const found = [
      ...priceProblems(entry, at),
      ...protocolProblems(entry, at),
      ...decisionProblems(entry, at),
      ...apiProblems(entry, at),
      ...labelProblems(entry, at),
      ...cachingProblems(entry, at),
      ...capabilityProblems(entry, at),
      ...secretProblems(entry, at, secret),
    ];
    for (const name of namesOf(entry)) {
      if (ids.has(name)) found.push(`${at}.id ${name} is there twice`);
      ids.add(name);
    }
    return found;
  });
  return [...problems, ...roleProblems(models, roles), ...authorizationProblems(mcpServers, secret)];
}

function namesOf(entry: SoundModel): string[] {
  if (entry.id === undefined) return [];
  return hasVariant(entry) ? [entry.id, entry.id + compressedSuffix] : [entry.id];
}

/** Whether the model has a `-compressed` variant. */
const hasVariant = ({ kind, compressed }: Pick<SoundModel, 'kind' | 'compressed'>): boolean =>
  kind !== undefined && writesText(kind) && compressed !== false;

const upstreamsOf = ({ upstream, fallbacks = [] }: SoundModel) =>
  [upstream, ...fallbacks].filter((each) => each !== undefined);

const aModel = (kind: string): string => `${kind.startsWith('e') ? 'an' : 'a'} ${kind} model`;

function roleProblems(
  models: readonly (SoundModel | undefined)[],
  roles: Partial<Record<string, string>>,
): string[] {
  return Object.entries(roleKinds).flatMap(([role, kinds]: [string, readonly string[]]) => {
    const id = roles[role];
    if (id === undefined) return [];
    const named = models.find((entry) => entry?.id === id);
    if (!named) return [`roles.${role} names no model of the catalogue`];
    const fits = named.kind === undefined || kinds.includes(named.kind);
    return fits ? [] : [`roles.${role} must name ${aModel(kinds.join(' or '))}`];
  });
}

const neededPrices = {
  chat: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  vision: ['inputPerMillionTokens', 'outputPerMillionTokens'],
  speech: ['perSecond'],
  decision: ['inputPerMillionTokens'],
  embedding: ['inputPerMillionTokens'],
} as const;

function priceProblems({ kind, price }: SoundModel, at: string): string[] {
  const days = new Set<unknown>();
  return [price].flat().flatMap((one, index) => {
    if (!one) return [];
    const place = Array.isArray(price) ? `${at}.price[${index}]` : `${at}.price`;
    const found = (kind ? neededPrices[kind] : [])
      .filter((field) => one[field] === undefined)
      .map((field) => `${place}.${field} must be given for ${aModel(kind!)}`);
    const { from } = one;
    if (days.has(from))
      found.push(from === undefined ? `${place}.from must be given` : `${place}.from ${from} is there twice`);
    days.add(from);
    return found;
  });
}

function secretProblems({ upstream, fallbacks = [] }: SoundModel, at: string, secret: Secret): string[] {
  const places = [
    [`${at}.upstream`, upstream?.apiKeyEnv] as const,
    ...fallbacks.map((fallback, index) => [`${at}.fallbacks[${index}]`, fallback?.apiKeyEnv] as const),
  ];
  return places.flatMap(([place, name]) => {
    if (!name) return [];
    const key = secret(name);
    if (!key) return [`${place}.apiKeyEnv ${name} is not set`];
    return headerWord.test(key) ? [] : [`${place}.apiKeyEnv ${name} has characters that no key has`];
  });
}

/** A key goes into a header, which carries visible ASCII only. */
const headerWord = /^[\x21-\x7e]+$/;

const authorizationProblems = (servers: Sound<SentCatalogue['mcpServers']>, secret: Secret): string[] =>
  servers.flatMap((server, index) => {
    const name = server?.authorizationEnv;
    const value = name === undefined ? undefined : secret(name);
    if (name === undefined || (value && isHeader(value))) return [];
    const problem = value ? 'has characters that no authorization has' : 'is not set';
    return [`mcpServers[${index}].authorizationEnv ${name} ${problem}`];
  });

/** A token, or a scheme and its value. */
const isHeader = (text: string): boolean => /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text);

/** Problems of capabilities, which only models that write text have. */
function capabilityProblems({ kind, tools, runs, capabilities = {} }: SoundModel, at: string): string[] {
  const both = tools !== undefined && (capabilities.tools ?? tools) !== tools;
  const found = both ? [`${at}.capabilities.tools says another thing than tools`] : [];
  if (kind === undefined || writesText(kind)) return found;
  if (tools !== undefined) found.push(`${at}.tools is for chat and vision models`);
  if (runs !== undefined) found.push(`${at}.runs is for chat and vision models`);
  const claimed = capabilityNames.filter((name) => capabilities[name] === true);
  return [...found, ...claimed.map((name) => `${at}.capabilities.${name} is for chat and vision models`)];
}

/** Log-probabilities of labels, which other engines do not read, have a temperature, a mass and two ways to be asked for. */
function labelProblems(entry: SoundModel, at: string): string[] {
  const { kind, engine } = entry;
  if (kind === undefined || (kind === 'decision' && labelReaders.some((name) => name === engine))) return [];
  const given: string[] = (['calibration', 'minLabelMass'] as const).filter(
    (name) => entry[name] !== undefined,
  );
  if (upstreamsOf(entry).some((upstream) => upstream.engine !== undefined)) given.push('upstream.engine');
  const others = kind === 'decision' ? `the engines ${labelReaders.join(' and ')}` : 'decision models';
  return given.map((name) => `${at}.${name} is for ${others}`);
}

/** Only speech models have a choice of protocols. */
function protocolProblems(entry: SoundModel, at: string): string[] {
  if (entry.kind === undefined || entry.kind === 'speech') return [];
  const [usual] = speechProtocolNames;
  const other = upstreamsOf(entry).find(({ protocol = usual }) => protocol !== usual);
  return other ? [`${at}.upstream.protocol ${other.protocol} is for speech models`] : [];
}

/** Images that are fetched here come to an upstream in the messages of a chat completion. */
function apiProblems(entry: SoundModel, at: string): string[] {
  const other = upstreamsOf(entry).find(({ api }) => api === 'responses' || api === 'messages');
  if (!other) return [];
  const { kind, imageUrls } = entry;
  if (kind !== undefined && !writesText(kind)) return [`${at}.upstream.api is for chat and vision models`];
  return imageUrls === 'inline'
    ? [`${at}.imageUrls must be pass or refuse with upstream.api ${other.api}`]
    : [];
}

/** Only runs have requests that begin alike. */
const cachingProblems = (entry: SoundModel, at: string): string[] =>
  entry.kind !== undefined &&
  !writesText(entry.kind) &&
  upstreamsOf(entry).some(({ caching }) => caching !== undefined)
    ? [`${at}.upstream.caching is for chat and vision models`]
    : [];

/** Only the engine `systemone` has a path to choose, and images are not fetched for decisions. */
function decisionProblems(entry: SoundModel, at: string): string[] {
  const { kind, engine = decisionEngines[0], imageUrls } = entry;
  if (kind === undefined) return [];
  const isSystemOne = kind === 'decision' && engine === 'systemone';
  const found: string[] = [];
  if (!isSystemOne && upstreamsOf(entry).some(({ path }) => path !== undefined))
    found.push(`${at}.upstream.path is for decision models with the engine systemone`);
  if (kind === 'decision' && imageUrls === 'inline')
    found.push(`${at}.imageUrls must be pass or refuse for a decision model`);
  return found;
}
