import type { AccountsDeps } from '@errand/accounts';
import type { AgentsDeps } from '@errand/agents';
import type { DocumentReader } from '@errand/documents';
import {
  type CarbonIntensity,
  type Catalogue,
  createCarbonIntensity,
  type Hidden,
  hostsOf,
  namesOf,
  roleModel,
  secretsOf,
  type UpstreamDeps,
} from '@errand/models';
import { type Charge, whenSettled } from '@errand/money';
import {
  type AwsClients,
  type Clock,
  type Config,
  createAwsClients,
  createFiles,
  createSealer,
  createSpanExporter,
  daySeconds,
  type Files,
  type Log,
  type Sealer,
  type SpanExporter,
  type TableNames,
} from '@errand/platform';
import {
  type AttachmentDeps,
  createRunSignals,
  deferCharge,
  type RunSignals,
  type RunsDeps,
} from '@errand/runs';
import type { SkillsDeps } from '@errand/skills';
import type { UploadDeps } from '@errand/uploads';
import { queueNotice } from '@errand/webhooks';

/** Everything from which the deps of the packages are made. Made once per process. */
export interface ServiceDeps {
  config: Config;
  clock: Clock;
  log: Log;
  aws: AwsClients;
  files: Files;
  /** Encrypts what callers entrust to the service. */
  sealer: Sealer;
  tables: TableNames;
  catalogue: Catalogue;
  upstream: UpstreamDeps;
  /** Shared by all packages, because it caches the figure of the hour. */
  carbonIntensity: CarbonIntensity;
  signals: RunSignals;
  /** Absent where the operator wants no spans. */
  spans: SpanExporter | undefined;
  /** Keeps a charge that could not be written, to be written later. Default: the queue keeps it. */
  deferCharge?: (charge: Charge) => Promise<void>;
}

interface ServiceDepsOptions {
  config: Config;
  catalogue: Catalogue;
  clock: Clock;
  log: Log;
  deferCharge?: (charge: Charge) => Promise<void>;
}

export function createServiceDeps(options: ServiceDepsOptions): ServiceDeps {
  const { config, catalogue, clock, log } = options;
  return {
    config,
    clock,
    log,
    catalogue,
    aws: createAwsClients(config.aws),
    deferCharge: options.deferCharge,
    files: createFiles(config.aws),
    sealer: createSealer(config.storeSecrets),
    tables: config.aws.tables,
    upstream: {
      clock,
      log,
      hidden: hiddenOf(config, catalogue),
      answerMilliseconds: config.answerMilliseconds,
    },
    carbonIntensity: createCarbonIntensity({ clock, log, carbon: config.carbon }),
    signals: createRunSignals(),
    spans:
      config.traces &&
      createSpanExporter({ clock, log, traces: config.traces, namespace: config.metricsNamespace }),
  };
}

/**
 * What no message of an upstream may carry to a caller: the keys, hosts and names of models of all providers,
 * and our own secrets.
 */
function hiddenOf(config: Config, { models, mcpServers = [] }: Catalogue): Hidden {
  const { search, carbon, linkSecret, originSecrets, storeSecrets } = config;
  const upstreams = models.flatMap(({ upstream, fallbacks }) => [upstream, ...fallbacks]);
  const secrets = [
    ...secretsOf([...upstreams, search, carbon]),
    linkSecret,
    ...originSecrets,
    ...storeSecrets,
  ];
  secrets.push(...mcpServers.map(({ authorization = '' }) => authorization));
  return {
    secrets: [...new Set(secrets)].filter(Boolean),
    hosts: [...new Set(hostsOf([...upstreams, search, carbon]))],
    models: models.map(namesOf),
  };
}

/** Resolves when all background charges are written or deferred, and spans are sent or given up. The process must not end before. */
export async function whenCharged({ aws, spans }: ServiceDeps): Promise<void> {
  await whenSettled(aws);
  await spans?.flush();
}

export const accountsDeps = ({ aws, tables, clock, log, config }: ServiceDeps): AccountsDeps => ({
  dynamodb: aws.dynamodb,
  tables,
  clock,
  log,
  rateLimitRequests: config.rateLimitRequests,
  answerMilliseconds: config.answerMilliseconds,
});

/** For work that costs credits: notices about an account's money are queued. */
export const payingDeps = (deps: ServiceDeps): AccountsDeps => ({
  ...accountsDeps(deps),
  notify: notifier(deps),
  spans: deps.spans,
});

/** Queues a notice about an account's money, which the webhooks send. */
const notifier =
  ({ aws, config }: Pick<ServiceDeps, 'aws' | 'config'>): NonNullable<AccountsDeps['notify']> =>
  (notice) =>
    queueNotice({ sqs: aws.sqs, webhookQueueUrl: config.aws.webhookQueueUrl }, notice);

export const skillsDeps = ({ aws, tables, clock, log, config }: ServiceDeps): SkillsDeps => ({
  dynamodb: aws.dynamodb,
  tables,
  clock,
  log,
  skillsEnabled: config.skillsEnabled,
  providerScope: config.providerScope,
});

export const agentsDeps = (deps: ServiceDeps): AgentsDeps => skillsDeps(deps);

const runReadableSeconds = ({ runReadableDays }: Config): number => runReadableDays * daySeconds;

export const runsDeps = ({
  aws,
  tables,
  clock,
  log,
  files,
  sealer,
  signals,
  config,
  spans,
}: ServiceDeps): RunsDeps => ({
  dynamodb: aws.dynamodb,
  sqs: aws.sqs,
  tables,
  clock,
  log,
  files,
  sealer,
  signals,
  queueUrl: config.aws.queueUrl,
  webhookQueueUrl: config.aws.webhookQueueUrl,
  notify: notifier({ aws, config }),
  activeRunsPerAccount: config.activeRunsPerAccount,
  runReadableSeconds: runReadableSeconds(config),
  spans,
});

export const uploadDeps = ({ aws, tables, clock, log, files, config }: ServiceDeps): UploadDeps => ({
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
  runReadableSeconds: runReadableSeconds(config),
});

export const attachmentDeps = (deps: ServiceDeps, documents: DocumentReader): AttachmentDeps => {
  const { catalogue, upstream, carbonIntensity, log, files } = deps;
  return {
    log,
    files,
    attachments: {
      documents,
      vision: { upstream, carbonIntensity, visionModel: roleModel(catalogue, 'vision') },
      readMilliseconds: deps.config.answerMilliseconds,
      deferCharge: chargeKeeper(deps),
    },
  };
};

/** Keeps a charge that could not be written. */
export const chargeKeeper = (deps: ServiceDeps): ((charge: Charge) => Promise<void>) =>
  deps.deferCharge ??
  ((charge) => deferCharge({ sqs: deps.aws.sqs, queueUrl: deps.config.aws.queueUrl }, charge));
