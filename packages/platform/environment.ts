import * as v from 'valibot';
import { usualRunDays } from './expirations.ts';
import { limits } from './limits.ts';
import { modelId, oneOf } from './schema.ts';
import { leastSecretCharacters } from './sealing.ts';

/** The search providers, each with the variable that it requires. */
export const searchProviders = {
  wikipedia: undefined,
  searxng: 'SEARCH_BASE_URL',
  brave: 'SEARCH_API_KEY',
  tavily: 'SEARCH_API_KEY',
} as const;

export type SearchProviderName = keyof typeof searchProviders;

/** The stand-ins that may work beside one real model, by the roles that it cannot have. */
const namedStandIns = ['decision', 'speech'] as const;

const flag = (fallback: boolean) =>
  v.optional(
    v.pipe(
      oneOf(['true', 'false']),
      v.transform((value) => value === 'true'),
    ),
    fallback ? 'true' : 'false',
  );

const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(maximum, `must be at most ${maximum}`),
  );

const integer = (fallback: number, minimum: number, maximum: number) =>
  v.optional(wholeNumber(minimum, maximum), String(fallback));

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
const bareUrl = v.optional(
  v.pipe(
    httpUrl.wrapped,
    v.check(
      (value) => new URL(value).username === '' && new URL(value).password === '',
      'must have no credentials',
    ),
  ),
);

/** Headers as OpenTelemetry writes them (`key1=value1,key2=value2`, as W3C baggage). Undefined for what HTTP cannot send. */
function readHeaders(text: string): Record<string, string> | undefined {
  const members = text.split(',').filter((member) => member.trim() !== '');
  const headers = members.map((member) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(member));
  try {
    return Object.fromEntries(
      headers.map((found) => {
        const [, name, value] = found ?? [];
        if (name === undefined || value === undefined) throw new URIError();
        const decoded = decodeURIComponent(value);
        if (!/^[\x20-\x7e]*$/.test(decoded)) throw new URIError();
        return [name.toLowerCase(), decoded];
      }),
    );
  } catch {
    return undefined;
  }
}

const isHostWithPort = (text: string): boolean =>
  Number(/^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(text)?.[1] ?? Infinity) <= 65_535;

/** The variables of the environment, each by itself. */
const ownSecret = v.pipe(
  v.string(),
  v.minLength(leastSecretCharacters, `must have at least ${leastSecretCharacters} characters`),
);

const ownSecrets = v.optional(
  v.pipe(
    v.string(),
    v.transform((value) =>
      value
        .split(',')
        .map((secret) => secret.trim())
        .filter(Boolean),
    ),
    v.check(
      (secrets) => secrets.every(({ length }) => length >= leastSecretCharacters),
      `must be of at least ${leastSecretCharacters} characters, or several such separated by commas`,
    ),
  ),
  '',
);

export const environment = v.object({
  PORT: integer(8787, 0, 65_535),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), '.local'),
  PUBLIC_URL: httpUrl,
  MODEL_CATALOGUE: text,
  MODEL_BASE_URL: bareUrl,
  MODEL_API_KEY: text,
  MODEL_ID: v.optional(v.pipe(v.string(), modelId)),
  MODEL_CONTEXT_TOKENS: v.optional(wholeNumber(1_024, 100_000_000)),
  STAND_INS: v.optional(
    v.pipe(
      v.string(),
      v.transform((value) => value.split(',').map((name) => name.trim())),
      v.array(oneOf(namedStandIns)),
    ),
  ),
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
  RUNS_PER_INVOCATION: integer(limits.runsPerInvocation, 1, limits.runsPerInvocation),
  RUN_READABLE_DAYS: integer(usualRunDays, 1, limits.runReadableDays),
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
  LINK_SECRET: v.optional(ownSecret),
  ORIGIN_SECRET: ownSecrets,
  STORE_SECRET: ownSecrets,
  OTEL_EXPORTER_OTLP_ENDPOINT: bareUrl,
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const headers = readHeaders(dataset.value);
        if (headers) return headers;
        addIssue({ message: 'must be name=value, separated by commas, with percent-encoded values' });
        return NEVER;
      }),
    ),
  ),
  OTEL_PROPAGATE: flag(false),
  OTEL_CAPTURE_CONTENT: flag(false),
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
  WEBHOOK_QUEUE_URL: text,
  BUCKET_NAME: text,
  CONVERTER_FUNCTION: text,
});

export type Environment = v.InferOutput<typeof environment>;
