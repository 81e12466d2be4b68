import * as v from 'valibot';
import { issuesOf } from './http/body.ts';
import { limits } from './limits.ts';
import { modelId, oneOf } from './schema.ts';
import { localTableNames, type TableNames } from './tables.ts';

export interface AwsSettings {
  region: string;
  /** Set in local mode only. AWS's own endpoints are used where one is absent. */
  endpoints: { dynamodb?: string; sqs?: string; s3?: string };
  /** Set in local mode only. Otherwise the SDK finds the credentials of the function's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  tables: TableNames;
  queueUrl: string;
  bucket: string;
}

/** The search providers, each with the variable that it cannot do without. */
const searchProviders = {
  wikipedia: undefined,
  searxng: 'SEARCH_BASE_URL',
  brave: 'SEARCH_API_KEY',
  tavily: 'SEARCH_API_KEY',
} as const;

export type SearchProviderName = keyof typeof searchProviders;

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Links begin with it; without one, they begin with the request's own origin. */
  publicUrl?: string;
  modelCatalogue?: string;
  model: { baseUrl?: string; apiKey?: string; id?: string };
  search: { provider: SearchProviderName; baseUrl?: string; apiKey?: string };
  carbon: { apiKey?: string; baseUrl?: string; zone: string };
  /** `host:port` on private networks that callers' URLs may reach. */
  fetchAllowedHosts: ReadonlySet<string>;
  agentsEnabled: boolean;
  skillsEnabled: boolean;
  uploadsEnabled: boolean;
  documentConversionEnabled: boolean;
  fileExportEnabled: boolean;
  location: 'eu' | 'us';
  providerScope: string;
  rateLimitRequests: number;
  runLeaseSeconds: number;
  /** How long a run waits for a provider that fails. */
  upstreamPatienceSeconds: number;
  /** The most that a run may cost whose creation does not say. Absent: what the account has. */
  runMaxCredits?: string;
  /** Whether the claims of a run are checked whose creation does not say. */
  runProof: boolean;
  /** A claim whose support is under it is not borne out. */
  runProofThreshold: number;
  /** 0: as many as there are. */
  activeRunsPerAccount: number;
  /** Signs the links of saved files. */
  linkSecret: string;
  /** The router sends it with each request. If it is set, requests without it are refused. */
  originSecret?: string;
  aws: AwsSettings;
  /** The CloudWatch namespace of the metrics that are counted from the log. */
  metricsNamespace: string;
  /** Value of an environment variable that the catalogue names for an upstream's key. */
  secret(name: string): string | undefined;
}

/** Its message lists every problem of the environment, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const flag = (fallback: boolean) =>
  v.optional(
    v.pipe(
      oneOf(['true', 'false']),
      v.transform((value) => value === 'true'),
    ),
    fallback ? 'true' : 'false',
  );

const integer = (fallback: number, minimum: number, maximum: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, 'must be a whole number'),
      v.transform(Number),
      v.minValue(minimum, `must be at least ${minimum}`),
      v.maxValue(maximum, `must be at most ${maximum}`),
    ),
    String(fallback),
  );

const httpUrl = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'must be an http(s) URL',
    ),
    v.transform((value) => value.replace(/\/+$/, '')),
  ),
);

const text = v.optional(v.string());

/** No credentials in the URL: they would get into logs. The key is sent in a header instead. */
const modelUrl = v.optional(
  v.pipe(
    httpUrl.wrapped,
    v.check(
      (value) => new URL(value).username === '' && new URL(value).password === '',
      'must have no credentials',
    ),
  ),
);

const isHostWithPort = (text: string): boolean =>
  Number(/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(text)?.[1] ?? Infinity) <= 65_535;

const environment = v.object({
  PORT: integer(8787, 0, 65_535),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), '.local'),
  PUBLIC_URL: httpUrl,
  MODEL_CATALOGUE: text,
  MODEL_BASE_URL: modelUrl,
  MODEL_API_KEY: text,
  MODEL_ID: v.optional(v.pipe(v.string(), modelId)),
  SEARCH_PROVIDER: v.optional(oneOf(Object.keys(searchProviders) as SearchProviderName[]), 'wikipedia'),
  SEARCH_BASE_URL: httpUrl,
  SEARCH_API_KEY: text,
  CARBON_API_KEY: text,
  CARBON_BASE_URL: httpUrl,
  CARBON_ZONE: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Z]{2}(-[A-Z0-9-]+)?$/, 'must be a zone such as NL')),
    'NL',
  ),
  FETCH_ALLOWED_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((value) =>
        value
          .split(',')
          .map((host) => host.trim().toLowerCase())
          .filter(Boolean),
      ),
      v.check((hosts) => hosts.every(isHostWithPort), 'must be host:port, separated by commas'),
    ),
    '',
  ),
  AGENTS_ENABLED: flag(true),
  SKILLS_ENABLED: flag(true),
  UPLOADS_ENABLED: flag(true),
  DOCUMENT_CONVERSION_ENABLED: flag(true),
  FILE_EXPORT_ENABLED: flag(true),
  LOCATION: v.optional(oneOf(['eu', 'us']), 'eu'),
  PROVIDER_SCOPE: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be a lower-case word'),
      v.notValues(['user', 'organisation'], 'must not be the name of another scope'),
    ),
    'provider',
  ),
  RATE_LIMIT_REQUESTS: integer(limits.requestsPerWindow, 1, 1_000_000_000),
  RUN_LEASE_SECONDS: integer(60, 1, limits.longestLeaseSeconds),
  UPSTREAM_PATIENCE_SECONDS: integer(limits.upstreamPatienceSeconds, 0, limits.longestPatienceSeconds),
  RUN_MAX_CREDITS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,9})?$/, 'must be an amount of EUR over 0, such as 0.50'),
    ),
  ),
  RUN_PROOF: flag(false),
  RUN_PROOF_THRESHOLD: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a number from 0 to 1, such as 0.5'),
      v.transform(Number),
    ),
    '0.5',
  ),
  ACTIVE_RUNS_PER_ACCOUNT: integer(0, 0, limits.activeRunsPerAccount),
  LINK_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  ORIGIN_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  METRICS_NAMESPACE: v.optional(v.string(), 'Errand'),
  AWS_REGION: v.optional(v.string(), 'eu-central-1'),
  AWS_ENDPOINT_URL_DYNAMODB: httpUrl,
  TABLE_NAMES: v.optional(
    v.pipe(
      v.string(),
      v.parseJson(undefined, 'must be JSON'),
      v.record(v.string(), v.string(), 'must be JSON of names by table'),
    ),
  ),
  QUEUE_URL: text,
  BUCKET_NAME: text,
});

type Environment = v.InferOutput<typeof environment>;

/** The mode decides which variables must be set: local mode starts an AWS of its own, functions are told theirs. */
export type Mode = 'local' | 'cloud';

/** Drops empty variables, and the line end of values that were read from a file. */
const givenOf = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env)
      .map(([name, value = '']) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** Reads and validates the environment once. Throws `ConfigError`. */
export function readConfig(mode: Mode, env: Record<string, string | undefined> = process.env): Config {
  const given = givenOf(env);
  const parsed = v.safeParse(environment, given);
  const problems = parsed.success
    ? []
    : issuesOf(parsed.issues).map(({ field, problem }) => `${field} ${problem}`);
  problems.push(...relations(mode, given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  return toConfig(parsed.output, (name) => given[name]);
}

/** Reads the variables of the model catalogue alone, and does not validate the others. */
export function readCatalogueSettings(
  env: Record<string, string | undefined> = process.env,
): Pick<Config, 'modelCatalogue' | 'model' | 'secret'> {
  const given = givenOf(env);
  return {
    ...(given.MODEL_CATALOGUE && { modelCatalogue: given.MODEL_CATALOGUE }),
    model: {},
    secret: (name) => given[name],
  };
}

/** Whether searches with this provider need a key. */
export const searchNeedsKey = (provider: string | undefined): boolean =>
  searchNeed(provider) === 'SEARCH_API_KEY';

const searchNeed = (provider: string | undefined): string | undefined =>
  Object.entries(searchProviders).find(([name]) => name === provider)?.[1];

/** Problems between variables: one needs another, or excludes it. */
function relations(mode: Mode, env: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const needs = (condition: boolean, problem: string) => condition && problems.push(problem);
  needs(Boolean(env.MODEL_BASE_URL) && !env.MODEL_ID, 'MODEL_ID must be set when MODEL_BASE_URL is');
  needs(!env.MODEL_BASE_URL && Boolean(env.MODEL_ID), 'MODEL_BASE_URL must be set when MODEL_ID is');
  const need = searchNeed(env.SEARCH_PROVIDER);
  if (need) needs(!env[need], `${need} must be set for ${env.SEARCH_PROVIDER}`);
  if (mode === 'cloud') {
    needs(Boolean(env.FETCH_ALLOWED_HOSTS), 'FETCH_ALLOWED_HOSTS is refused outside local mode');
    for (const name of ['TABLE_NAMES', 'QUEUE_URL', 'BUCKET_NAME', 'LINK_SECRET'])
      needs(!env[name], `${name} must be set`);
  }
  return problems;
}

function toConfig(env: Environment, secret: (name: string) => string | undefined): Config {
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    ...(env.PUBLIC_URL && { publicUrl: env.PUBLIC_URL }),
    ...(env.MODEL_CATALOGUE && { modelCatalogue: env.MODEL_CATALOGUE }),
    model: {
      ...(env.MODEL_BASE_URL && { baseUrl: env.MODEL_BASE_URL }),
      ...(env.MODEL_API_KEY && { apiKey: env.MODEL_API_KEY }),
      ...(env.MODEL_ID && { id: env.MODEL_ID }),
    },
    search: {
      provider: env.SEARCH_PROVIDER,
      ...(env.SEARCH_BASE_URL && { baseUrl: env.SEARCH_BASE_URL }),
      ...(env.SEARCH_API_KEY && { apiKey: env.SEARCH_API_KEY }),
    },
    carbon: {
      zone: env.CARBON_ZONE,
      ...(env.CARBON_API_KEY && { apiKey: env.CARBON_API_KEY }),
      ...(env.CARBON_BASE_URL && { baseUrl: env.CARBON_BASE_URL }),
    },
    fetchAllowedHosts: new Set(env.FETCH_ALLOWED_HOSTS),
    agentsEnabled: env.AGENTS_ENABLED,
    skillsEnabled: env.SKILLS_ENABLED,
    uploadsEnabled: env.UPLOADS_ENABLED,
    documentConversionEnabled: env.DOCUMENT_CONVERSION_ENABLED,
    fileExportEnabled: env.FILE_EXPORT_ENABLED,
    location: env.LOCATION,
    providerScope: env.PROVIDER_SCOPE,
    rateLimitRequests: env.RATE_LIMIT_REQUESTS,
    runLeaseSeconds: env.RUN_LEASE_SECONDS,
    upstreamPatienceSeconds: env.UPSTREAM_PATIENCE_SECONDS,
    ...(env.RUN_MAX_CREDITS !== undefined && { runMaxCredits: env.RUN_MAX_CREDITS }),
    runProof: env.RUN_PROOF,
    runProofThreshold: env.RUN_PROOF_THRESHOLD,
    activeRunsPerAccount: env.ACTIVE_RUNS_PER_ACCOUNT,
    linkSecret: env.LINK_SECRET ?? '',
    ...(env.ORIGIN_SECRET && { originSecret: env.ORIGIN_SECRET }),
    metricsNamespace: env.METRICS_NAMESPACE,
    aws: {
      region: env.AWS_REGION,
      endpoints: { ...(env.AWS_ENDPOINT_URL_DYNAMODB && { dynamodb: env.AWS_ENDPOINT_URL_DYNAMODB }) },
      tables: { ...localTableNames, ...(env.TABLE_NAMES as Partial<TableNames> | undefined) },
      queueUrl: env.QUEUE_URL ?? '',
      bucket: env.BUCKET_NAME ?? '',
    },
    secret,
  };
}
