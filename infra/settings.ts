import { limits, tableDefinitions } from '@errand/platform';
import * as v from 'valibot';
import { functionShapes } from './functions.ts';
import type { FunctionName } from './permissions.ts';

const whole = (least: number, most?: number) => {
  const said = (number: number) => number.toLocaleString('en-US');
  const problem =
    most === undefined
      ? `must be a whole number, at least ${said(least)}`
      : `must be a whole number from ${said(least)} to ${said(most)}`;
  return v.pipe(
    v.number(problem),
    v.safeInteger(problem),
    v.minValue(least, problem),
    v.maxValue(most ?? Infinity, problem),
  );
};

const form = (pattern: RegExp, problem: string) => v.pipe(v.string(problem), v.regex(pattern, problem));

const domainName = form(
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
  'must be a name such as api.example.com, in lower case and without https:// or a path',
);

/** In words, where the library would name its own parts. */
const only = <const Entries extends v.ObjectEntries>(entries: Entries, form?: string) =>
  v.strictObject(entries, ({ expected, message }) => {
    if (expected === 'never') return 'is no setting';
    return (expected === 'Object' && form) || message;
  });

/** CloudWatch keeps logs for so long and no other times, up to a year. */
const logDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365] as const;

const names = Object.keys(functionShapes) as FunctionName[];
const tableNames = Object.values(tableDefinitions).map(({ name }) => name);

/** Variables of the functions that a stage may set; docs/configuration.md says what they do. */
const environmentNames = [
  'SEARCH_PROVIDER',
  'SEARCH_BASE_URL',
  'CARBON_ZONE',
  'CARBON_BASE_URL',
  'AGENTS_ENABLED',
  'SKILLS_ENABLED',
  'UPLOADS_ENABLED',
  'DOCUMENT_CONVERSION_ENABLED',
  'FILE_EXPORT_ENABLED',
  'PROVIDER_SCOPE',
  'RATE_LIMIT_REQUESTS',
  'RUN_LEASE_SECONDS',
  'UPSTREAM_PATIENCE_SECONDS',
  'RUN_MAX_CREDITS',
  'RUN_PROOF',
  'RUN_PROOF_THRESHOLD',
  'ACTIVE_RUNS_PER_ACCOUNT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_PROPAGATE',
  'OTEL_CAPTURE_CONTENT',
] as const;

/** An operator's choices for a stage. */
export const settingsSchema = only({
  /** An AWS region, `eu-...` or `us-...`: the service reports its location by it. */
  region: form(
    /^(eu|us)-[a-z]+-\d$/,
    'must be an AWS region such as eu-central-1 or us-east-1, in the EU or the US: the service has no location for others',
  ),
  /**
   * A domain in this account's Route 53, or one elsewhere with the ARN of its certificate in us-east-1: then you set its
   * record yourself. Default: CloudFront's own.
   */
  domain: v.optional(
    v.union(
      [
        domainName,
        only({
          name: domainName,
          certificate: form(
            /^arn:aws:acm:us-east-1:\d{12}:certificate\/\S+$/,
            'must be the ARN of a certificate of AWS Certificate Manager in us-east-1',
          ),
        }),
      ],
      'must be a name, or a name with the ARN of its certificate',
    ),
  ),
  /** Path of the catalogue of models in this repository. */
  catalogue: v.pipe(v.string(), v.nonEmpty('must be the path of a file')),
  /** The stage has alarms, a dashboard, and backups of its tables. */
  permanent: v.boolean(),
  /** The stage cannot be removed by mistake, and its data stays if it is removed. */
  protected: v.boolean(),
  /** Where alarms are sent. AWS asks this address to confirm first. */
  alarmEmail: v.optional(form(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an email address')),
  /** A permanent stage is asked for its health from outside, by Route 53. */
  probe: v.boolean(),
  /** AWS mails to `alarmEmail` when the stage has cost 50, 80 and 100 % of so many US dollars in a month. */
  monthlyDollars: v.optional(
    v.pipe(
      v.number('must be a number over 0'),
      v.finite('must be a number over 0'),
      v.gtValue(0, 'must be a number over 0'),
    ),
  ),
  /** A firewall that refuses what one address sends over a rate. Off by default, because it costs while nothing happens. */
  waf: v.optional(only({ requestsIn5Minutes: whole(10, 2_000_000_000) })),
  /** CloudFront writes a line for each request, kept for so many days. Off by default, because each line is paid for. */
  edgeLogs: v.optional(only({ days: v.picklist(logDays, `must be one of ${logDays.join(', ')}`) })),
  /**
   * How many runs are worked on at the same time, some in each invocation of the worker. A deploy lowers it where the
   * account's concurrency has no room.
   */
  runsAtOnce: whole(2, 1_000 * limits.runsPerInvocation),
  /**
   * How many seconds an answer that is not streamed may take, with the edge's time and the functions'. Default: 55, which
   * forms that go to the container for large uploads keep. `npm run smoke -- --long --answer-seconds` checks what CloudFront makes of it.
   */
  answerSeconds: v.optional(whole(limits.answerMilliseconds / 1000, limits.longestAnswerSeconds)),
  /**
   * How many seconds the edge keeps a connection to a function open after an answer, which saves handshakes. Default:
   * CloudFront's, 5. AWS does not say for how long its side of a function's address keeps one.
   */
  originKeepAliveSeconds: v.optional(whole(1, 120)),
  /**
   * For how many days a run can be read, with its events, material, files, links and response; then it is gone. Default:
   * one. Before you lower it, read docs/operate.md.
   */
  runReadableDays: v.optional(whole(1, limits.runReadableDays)),
  /**
   * How much of the account's concurrency each function has for itself, and can have at most. Off by default, because
   * AWS keeps 100 unreserved, which is more than a new account has.
   */
  reservedConcurrency: v.optional(v.record(v.picklist(names, 'is the name of no function'), whole(0))),
  /**
   * A container for forms that are too large for Lambda. Off by default, because it costs while nothing happens. Its
   * domain must be in this account's Route 53 too.
   */
  largeUploads: v.optional(only({ domain: domainName })),
  /**
   * Chat, or the work on runs, in containers in place of functions. Off by default: docs/operate.md says from when on that costs less.
   * The domain must be in this account's Route 53 too.
   */
  containers: v.optional(
    only({
      chat: v.optional(only({ domain: domainName }, "must be { domain: 'chat.example.com' }")),
      workers: v.optional(v.boolean()),
    }),
  ),
  /**
   * Where the functions that ask models stand, if a model's server has no public address. Without it they have no network
   * of yours, and reach public addresses alone. The subnets need a way to AWS and to the internet.
   */
  vpc: v.optional(
    only({
      subnets: v.pipe(
        v.array(form(/^subnet-[0-9a-f]+$/, 'must be the id of a subnet')),
        v.nonEmpty('must name a subnet'),
      ),
      securityGroups: v.pipe(
        v.array(form(/^sg-[0-9a-f]+$/, 'must be the id of a security group')),
        v.nonEmpty('must name a security group'),
      ),
    }),
  ),
  /** Tables that serve in place of the stage's own, such as restored ones. The stage's own stay as they are. */
  tables: v.optional(
    v.record(
      v.picklist(tableNames, 'is the name of no table'),
      form(/^[\w.-]{3,255}$/, 'must be the name of a table'),
    ),
  ),
  /** Daily copies of the tables that last, beside those of the last 35 days that every permanent stage has. */
  backups: v.optional(
    only({
      keepDays: whole(1, 36_500),
      /** Another vault, of another account or region, that gets each copy too. */
      copyTo: v.optional(
        form(
          /^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
          'must be the ARN of a backup vault',
        ),
      ),
      /** Nobody can delete a copy before its time, nor lift this, from the fourth day on. */
      locked: v.optional(v.boolean()),
    }),
  ),
  /** Further environment variables of the functions. Secrets are set with `sst secret set`. */
  environment: v.record(v.picklist(environmentNames, 'is no variable that a stage may set'), v.string()),
});

export type Settings = v.InferOutput<typeof settingsSchema>;

const everyStage: Settings = {
  region: 'eu-central-1',
  catalogue: 'infra/catalogue.json',
  permanent: false,
  protected: false,
  probe: true,
  runsAtOnce: 10,
  environment: {},
};

/** Stages that differ from `everyStage`. Any other stage is a developer's own, and leaves nothing when removed. */
const stages: Record<string, Partial<Settings>> = {
  production: { permanent: true, protected: true, runsAtOnce: 100 },
  staging: { permanent: true },
};

export const settingsOf = (stage: string): Settings => ({ ...everyStage, ...stages[stage] });

/** The stage's domain, with its certificate if it is outside this account's Route 53. */
export const domainOf = ({
  domain,
}: Pick<Settings, 'domain'>): { name: string; certificate?: string } | undefined =>
  typeof domain === 'string' ? { name: domain } : domain;

/** Throws for a region that is neither in Europe nor in the United States. */
export function locationOf(region: string): 'eu' | 'us' {
  const place = region.split('-')[0];
  if (place === 'eu' || place === 'us') return place;
  throw new Error(
    `The region ${region} is neither in the EU nor in the US: the service has no location for it.`,
  );
}
