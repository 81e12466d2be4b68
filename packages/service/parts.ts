import { type AccountsDeps, whenSettled } from '@errand/accounts';
import { type Catalogue, roleModel, type UpstreamDeps } from '@errand/models';
import {
  type AwsClients,
  type Clock,
  type Config,
  createAwsClients,
  createFiles,
  type Files,
  type Log,
  limits,
  type TableNames,
} from '@errand/platform';
import { type AttachmentDeps, createRunSignals, type RunSignals, type RunsDeps } from '@errand/runs';
import type { SkillsDeps } from '@errand/skills';
import type { UploadDeps } from '@errand/uploads';

/** What every room is built from, made once per process. */
export interface Parts {
  config: Config;
  clock: Clock;
  log: Log;
  aws: AwsClients;
  files: Files;
  tables: TableNames;
  catalogue: Catalogue;
  upstream: UpstreamDeps;
  signals: RunSignals;
}

export interface PartsOptions {
  config: Config;
  catalogue: Catalogue;
  clock: Clock;
  log: Log;
  /** How the upstream client waits between tries. */
  wait?: UpstreamDeps['wait'];
}

export function createParts({ config, catalogue, clock, log, wait }: PartsOptions): Parts {
  return {
    config,
    clock,
    log,
    catalogue,
    aws: createAwsClients(config.aws),
    files: createFiles(config.aws),
    tables: config.aws.tables,
    upstream: { clock, log, ...(wait && { wait }) },
    signals: createRunSignals(),
  };
}

/** When the charges are in the ledger, or handed on, that no answer waited for: a process may end then. */
export const whenCharged = ({ aws }: Parts): Promise<void> => whenSettled(aws);

export const accountsDeps = ({ aws, tables, clock, log, config }: Parts): AccountsDeps => ({
  dynamodb: aws.dynamodb,
  tables,
  clock,
  log,
  rateLimitRequests: config.rateLimitRequests,
});

export const skillsDeps = ({ aws, tables, clock, log, config }: Parts): SkillsDeps => ({
  dynamodb: aws.dynamodb,
  tables,
  clock,
  log,
  skillsEnabled: config.skillsEnabled,
  providerScope: config.providerScope,
});

export const runsDeps = ({ aws, tables, clock, log, files, signals, config }: Parts): RunsDeps => ({
  dynamodb: aws.dynamodb,
  sqs: aws.sqs,
  tables,
  clock,
  log,
  files,
  signals,
  queueUrl: config.aws.queueUrl,
});

export const uploadDeps = ({ aws, tables, clock, log, files, config }: Parts): UploadDeps => ({
  dynamodb: aws.dynamodb,
  tables,
  clock,
  log,
  files,
  uploads: {
    uploadsEnabled: config.uploadsEnabled,
    documentConversionEnabled: config.documentConversionEnabled,
    linkSecret: config.linkSecret,
  },
});

export const attachmentDeps = ({ config, catalogue, upstream, log, files }: Parts): AttachmentDeps => ({
  log,
  files,
  attachments: {
    vision: { upstream, visionModel: roleModel(catalogue, 'vision') },
    // A bucket of this machine: no provider can follow links into it.
    inlineImages: config.aws.endpoints.s3 !== undefined,
    readMilliseconds: limits.answerMilliseconds,
  },
});
