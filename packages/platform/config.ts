import * as v from 'valibot';
import { type Environment, environment, type SearchProviderName, searchProviders } from './environment.ts';
import { issuesOf } from './http/body.ts';
import { localTableNames, type TableNames } from './tables.ts';

export interface AwsSettings {
  region: string;
  /** Set in local mode only. AWS's own endpoints are used where one is absent. */
  endpoints: { dynamodb?: string; sqs?: string; s3?: string };
  /** Set in local mode only. Otherwise the SDK finds the credentials of the function's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  tables: TableNames;
  queueUrl: string;
  /** The queue of what is sent to webhooks. */
  webhookQueueUrl: string;
  bucket: string;
  /** The function that reads documents. Absent: threads of the process read them. */
  converterFunction?: string;
}

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** The origin with which links begin. If absent, links begin with the request's own origin. */
  publicUrl?: string;
  modelCatalogue?: string;
  model: { baseUrl?: string; apiKey?: string; id?: string; contextTokens?: number };
  /** The roles that stand-ins have beside `model`. Without any model, stand-ins have every role. */
  standIns: readonly ('decision' | 'speech')[];
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
  /** How many runs an invocation of the worker has beside each other at most. */
  runsPerInvocation: number;
  /** How long a run and all that lives with it is kept and can be read. */
  runReadableDays: number;
  /** How long a run waits for a provider that fails. */
  upstreamPatienceSeconds: number;
  /**
   * The most that a run may cost if its creation sets no cap. If absent, only the account's money bounds the run.
   */
  runMaxCredits?: string;
  /** True if a run's claims are checked unless its creation says otherwise. */
  runProof: boolean;
  /** The threshold of proof: a claim with less support is not borne out. */
  runProofThreshold: number;
  /** 0 means no limit. */
  activeRunsPerAccount: number;
  /** Signs the links of saved files and the ids of uploads. Empty where none is made or checked. */
  linkSecret: string;
  /** Secrets one of which the router sends with each request. Functions refuse requests without any of them. */
  originSecrets: readonly string[];
  /**
   * What callers entrust to the service is encrypted with the first before it is stored. The others open what was
   * encrypted with them.
   */
  storeSecrets: readonly string[];
  /** Where spans are sent to. If absent, none are made. */
  traces?: {
    endpoint: string;
    headers: Readonly<Record<string, string>>;
    /** Model providers and servers of tools are told of the trace. */
    propagate: boolean;
    /** Spans have what callers ask and are answered. */
    captureContent: boolean;
  };
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

/** The mode decides which variables must be set: local mode starts an AWS of its own, functions are told theirs. */
type Mode = 'local' | 'cloud';

/** Drops empty variables, and the line end of values that were read from a file. */
const givenOf = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env)
      .map(([name, value = '']) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** Reads and validates the environment once. `links` are made or checked by some functions alone. Throws `ConfigError`. */
export function readConfig(
  mode: Mode,
  env: Record<string, string | undefined> = process.env,
  { links = false }: { links?: boolean } = {},
): Config {
  const given = givenOf(env);
  const parsed = v.safeParse(environment, given);
  const problems = parsed.success
    ? []
    : issuesOf(parsed.issues).map(({ field, problem }) => `${field} ${problem}`);
  problems.push(...relations(mode, given, links));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  return toConfig(parsed.output, (name) => given[name]);
}

/** Reads only the variables of the model catalogue, and does not validate the others. */
export function readCatalogueSettings(
  env: Record<string, string | undefined> = process.env,
): Pick<Config, 'modelCatalogue' | 'model' | 'secret'> {
  const given = givenOf(env);
  return {
    modelCatalogue: given.MODEL_CATALOGUE || undefined,
    model: {},
    secret: (name) => given[name],
  };
}

/** True if searches with this provider need a key. */
export const searchNeedsKey = (provider: string | undefined): boolean =>
  searchNeed(provider) === 'SEARCH_API_KEY';

const searchNeed = (provider: string | undefined): string | undefined =>
  Object.entries(searchProviders).find(([name]) => name === provider)?.[1];

/** Problems between variables: one needs another, or excludes it. */
function relations(mode: Mode, env: Record<string, string | undefined>, links: boolean): string[] {
  const problems: string[] = [];
  const needs = (condition: boolean, problem: string) => condition && problems.push(problem);
  needs(Boolean(env.MODEL_BASE_URL) && !env.MODEL_ID, 'MODEL_ID must be set when MODEL_BASE_URL is');
  needs(!env.MODEL_BASE_URL && Boolean(env.MODEL_ID), 'MODEL_BASE_URL must be set when MODEL_ID is');
  const need = searchNeed(env.SEARCH_PROVIDER);
  if (need) needs(!env[need], `${need} must be set for ${env.SEARCH_PROVIDER}`);
  for (const name of ['OTEL_PROPAGATE', 'OTEL_CAPTURE_CONTENT'])
    needs(
      env[name] === 'true' && !env.OTEL_EXPORTER_OTLP_ENDPOINT,
      `OTEL_EXPORTER_OTLP_ENDPOINT must be set when ${name} is true`,
    );
  if (mode === 'cloud') {
    needs(Boolean(env.FETCH_ALLOWED_HOSTS), 'FETCH_ALLOWED_HOSTS is refused outside local mode');
    for (const name of ['TABLE_NAMES', 'QUEUE_URL', 'WEBHOOK_QUEUE_URL', 'BUCKET_NAME'])
      needs(!env[name], `${name} must be set`);
    needs(links && !env.LINK_SECRET, 'LINK_SECRET must be set');
  }
  return problems;
}

function toConfig(env: Environment, secret: (name: string) => string | undefined): Config {
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    publicUrl: env.PUBLIC_URL || undefined,
    modelCatalogue: env.MODEL_CATALOGUE || undefined,
    model: {
      baseUrl: env.MODEL_BASE_URL || undefined,
      apiKey: env.MODEL_API_KEY || undefined,
      id: env.MODEL_ID || undefined,
      contextTokens: env.MODEL_CONTEXT_TOKENS,
    },
    standIns: env.STAND_INS ?? [],
    search: {
      provider: env.SEARCH_PROVIDER,
      baseUrl: env.SEARCH_BASE_URL || undefined,
      apiKey: env.SEARCH_API_KEY || undefined,
    },
    carbon: {
      zone: env.CARBON_ZONE,
      apiKey: env.CARBON_API_KEY || undefined,
      baseUrl: env.CARBON_BASE_URL || undefined,
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
    runsPerInvocation: env.RUNS_PER_INVOCATION,
    runReadableDays: env.RUN_READABLE_DAYS,
    upstreamPatienceSeconds: env.UPSTREAM_PATIENCE_SECONDS,
    runMaxCredits: env.RUN_MAX_CREDITS,
    runProof: env.RUN_PROOF,
    runProofThreshold: env.RUN_PROOF_THRESHOLD,
    activeRunsPerAccount: env.ACTIVE_RUNS_PER_ACCOUNT,
    linkSecret: env.LINK_SECRET ?? '',
    originSecrets: env.ORIGIN_SECRET,
    storeSecrets: env.STORE_SECRET,
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          propagate: env.OTEL_PROPAGATE,
          captureContent: env.OTEL_CAPTURE_CONTENT,
        }
      : undefined,
    metricsNamespace: env.METRICS_NAMESPACE,
    aws: {
      region: env.AWS_REGION,
      endpoints: { dynamodb: env.AWS_ENDPOINT_URL_DYNAMODB || undefined },
      tables: { ...localTableNames, ...(env.TABLE_NAMES as Partial<TableNames> | undefined) },
      queueUrl: env.QUEUE_URL ?? '',
      webhookQueueUrl: env.WEBHOOK_QUEUE_URL ?? '',
      bucket: env.BUCKET_NAME ?? '',
      converterFunction: env.CONVERTER_FUNCTION || undefined,
    },
    secret,
  };
}
