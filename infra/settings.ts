import type { FunctionName } from './permissions.ts';

/** An operator's choices for a stage. */
export interface Settings {
  /** An AWS region, `eu-...` or `us-...`: the service reports its location by it. */
  region: string;
  /** A domain in this account's Route 53. Default: CloudFront's own. */
  domain?: string;
  /** Path of the catalogue of models in this repository. */
  catalogue: string;
  /** The stage has alarms, a dashboard, and backups of its tables. */
  permanent: boolean;
  /** The stage cannot be removed by mistake, and its data stays if it is removed. */
  protected: boolean;
  /** Where alarms are sent. AWS asks this address to confirm first. */
  alarmEmail?: string;
  /** How many runs are worked on at the same time, 2 to 1,000. */
  runsAtOnce: number;
  /**
   * How much of the account's concurrency each function has for itself, and can have at most. Off by default, because
   * AWS keeps 100 unreserved, which is more than a new account has.
   */
  reservedConcurrency?: Partial<Record<FunctionName, number>>;
  /**
   * A container for forms that are too large for Lambda. Off by default, because it costs while nothing happens. Its
   * domain must be in this account's Route 53 too.
   */
  largeUploads?: { domain: string };
  /** Further environment variables of the functions; docs/configuration.md lists them. Secrets are set with `sst secret set`. */
  environment: Partial<Record<EnvironmentName, string>>;
}

export type EnvironmentName =
  | 'SEARCH_PROVIDER'
  | 'SEARCH_BASE_URL'
  | 'CARBON_ZONE'
  | 'CARBON_BASE_URL'
  | 'AGENTS_ENABLED'
  | 'SKILLS_ENABLED'
  | 'UPLOADS_ENABLED'
  | 'DOCUMENT_CONVERSION_ENABLED'
  | 'FILE_EXPORT_ENABLED'
  | 'PROVIDER_SCOPE'
  | 'RATE_LIMIT_REQUESTS'
  | 'RUN_LEASE_SECONDS'
  | 'UPSTREAM_PATIENCE_SECONDS'
  | 'RUN_MAX_CREDITS'
  | 'RUN_PROOF'
  | 'RUN_PROOF_THRESHOLD'
  | 'ACTIVE_RUNS_PER_ACCOUNT'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_PROPAGATE'
  | 'OTEL_CAPTURE_CONTENT';

const everyStage: Settings = {
  region: 'eu-central-1',
  catalogue: 'infra/catalogue.json',
  permanent: false,
  protected: false,
  runsAtOnce: 10,
  environment: {},
};

/** Stages that differ from `everyStage`. Any other stage is a developer's own, and leaves nothing when removed. */
const stages: Record<string, Partial<Settings>> = {
  production: { permanent: true, protected: true, runsAtOnce: 100 },
  staging: { permanent: true },
};

export const settingsOf = (stage: string): Settings => ({ ...everyStage, ...stages[stage] });

/** Throws for a region that is neither in Europe nor in the United States. */
export function locationOf(region: string): 'eu' | 'us' {
  const place = region.split('-')[0];
  if (place === 'eu' || place === 'us') return place;
  throw new Error(
    `The region ${region} is neither in the EU nor in the US: the service has no location for it.`,
  );
}
