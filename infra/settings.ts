/** What an operator chooses for a stage. */
export interface Settings {
  /** Decides the location that the service reports: `eu-...` or `us-...`. */
  region: string;
  /** A domain in this account's Route 53; without one, CloudFront's own. */
  domain?: string;
  /** The catalogue of models in this repository. */
  catalogue: string;
  /** Permanent stages keep backups of their tables, and have alarms and a dashboard. */
  permanent: boolean;
  /** Removing the stage leaves its data, and nothing of it can be removed by mistake. */
  protected: boolean;
  /** Who is told of alarms, after confirming by mail. */
  alarmEmail?: string;
  /** Runs that are worked on at the same time, 2 to 1,000. */
  runsAtOnce: number;
  /**
   * A container for `multipart/form-data` past what Lambda takes, off by default: it runs all the time. Its domain must
   * be in this account's Route 53 too.
   */
  largeUploads?: { domain: string };
  /** Further environment of the functions (README.md lists it). No secrets: those are set with `sst secret set`. */
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
  | 'RUN_LEASE_SECONDS';

const everyStage: Settings = {
  region: 'eu-central-1',
  catalogue: 'infra/catalogue.json',
  permanent: false,
  protected: false,
  runsAtOnce: 10,
  environment: {},
};

/** Stages that differ from the rest. Any other name is a stage of somebody's own, gone without a trace when removed. */
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
