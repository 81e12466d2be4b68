import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAccount, createKey } from '@errand/accounts';
import { startLocal } from '@errand/local';
import { awsSettings, type LocalQueues, localQueues, runningService } from '@errand/local/testing';
import { type Catalogue, parseCatalogue } from '@errand/models';
import { parseEuro } from '@errand/money';
import {
  type AwsClients,
  type AwsSettings,
  type Clock,
  type Config,
  createAwsClients,
  readConfig,
  silentLog,
  systemClock,
} from '@errand/platform';
import { createServiceDeps, type ServiceDeps } from '@errand/service';
import { simpleCatalogue } from '../../support/service.ts';
import { type Outside, startOutside } from './outside.ts';

export type Queues = LocalQueues;

type Endpoints = NonNullable<Awaited<ReturnType<typeof runningService>>>['endpoints'];

/** The settings that a worker process gets from the test. */
export interface GroundSettings {
  endpoints: Endpoints;
  outsideUrl: string;
  leaseSeconds: number;
  activeRunsPerAccount?: number;
  /** Where a server of tools listens. */
  toolsHost?: string;
  /** Where spans are sent to. */
  collectorUrl?: string;
}

/** One embedded AWS and one outside server for many runs, each with a queue and an account of its own. */
export interface Ground {
  settings: GroundSettings;
  outside: Outside;
  newQueues(): Promise<Queues>;
  newAccount(): Promise<{ accountId: string; key: string }>;
  close(): Promise<void>;
}

/** Short, so that a takeover is quick; a worker on a busy machine must still renew it in time. */
export const leaseSeconds = 4;

export async function startGround(): Promise<Ground> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-faults-'));
  const outside = await startOutside();
  const local = await startLocal({
    config: readConfig('local', { DATA_DIR: dataDir }),
    log: silentLog,
    only: 'aws',
    onExit: (reason) => {
      throw new Error(reason);
    },
  });
  const service = await runningService(dataDir);
  if (!service) throw new Error('the embedded AWS does not say where it is');
  const { endpoints } = service;
  const clients = createAwsClients(awsSettings(endpoints));
  let queues = 0;
  return {
    ...groundOn({ endpoints, outsideUrl: outside.url, leaseSeconds }, clients, outside),
    newQueues() {
      const queue = `faults-${++queues}`;
      return localQueues(clients.sqs, {
        queue,
        deadLetterQueue: `${queue}-dead-letters`,
        webhookQueue: `${queue}-webhooks`,
      });
    },
    async close() {
      clients.dynamodb.destroy();
      clients.sqs.destroy();
      await local.stop();
      await outside.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What does not depend on who started AWS and the outside server. */
export function groundOn(
  settings: GroundSettings,
  { dynamodb }: AwsClients,
  outside: Outside,
): Pick<Ground, 'settings' | 'outside' | 'newAccount'> {
  const store = { dynamodb, tables: awsSettings(settings.endpoints).tables, clock: systemClock };
  return {
    settings,
    outside,
    async newAccount() {
      const creditsNanoEuro = parseEuro('10') ?? 0;
      const { accountId } = await createAccount(store, { name: 'faults', creditsNanoEuro });
      return { accountId, key: (await createKey(store, { accountId, label: 'faults' })).key };
    },
  };
}

/** The deps of one process of the service, on this AWS and this queue. */
export function groundParts(
  settings: GroundSettings,
  queues: Partial<Pick<AwsSettings, 'queueUrl' | 'webhookQueueUrl'>>,
  clock: Clock = systemClock,
): ServiceDeps {
  const { outsideUrl } = settings;
  const config: Config = {
    ...readConfig('local', {
      RATE_LIMIT_REQUESTS: '1000000',
      RUN_LEASE_SECONDS: String(settings.leaseSeconds),
      ACTIVE_RUNS_PER_ACCOUNT: String(settings.activeRunsPerAccount ?? 0),
      OTEL_EXPORTER_OTLP_ENDPOINT: settings.collectorUrl,
      SEARCH_PROVIDER: 'searxng',
      SEARCH_BASE_URL: outsideUrl,
      FETCH_ALLOWED_HOSTS: [new URL(outsideUrl).host, settings.toolsHost ?? []].flat().join(','),
      LINK_SECRET: 'a secret that every process here knows',
      STORE_SECRET: 'a secret of the store that every process here knows',
    }),
    aws: awsSettings(settings.endpoints, queues),
  };
  return createServiceDeps({
    config,
    catalogue: catalogue(outsideUrl),
    clock,
    log: silentLog,
  });
}

const catalogue = (outsideUrl: string): Catalogue =>
  parseCatalogue(catalogueJson(outsideUrl), () => undefined);

/** A catalogue whose models are all served by the outside server. */
export function catalogueJson(outsideUrl: string): object {
  const baseUrl = `${outsideUrl}/v1`;
  const ears = {
    id: 'ears',
    kind: 'speech',
    description: 'A scripted speech model.',
    upstream: { baseUrl, model: 'upstream-ears-diarize' },
    price: { perSecond: 0.0001 },
  };
  const judge = {
    id: 'judge',
    kind: 'decision',
    upstream: { baseUrl: outsideUrl, model: 'upstream-judge' },
    price: { inputPerMillionTokens: 0.1 },
  };
  const meaning = {
    id: 'meaning',
    kind: 'embedding',
    upstream: { baseUrl, model: 'upstream-meaning' },
    price: { inputPerMillionTokens: 0.1 },
  };
  const envoy = {
    id: 'envoy',
    kind: 'chat',
    upstream: { baseUrl, model: 'upstream-envoy', api: 'messages' },
    price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
    contextTokens: 32_768,
  };
  return simpleCatalogue(baseUrl, {
    models: [ears, judge, meaning, envoy],
    roles: { speech: 'ears', decision: 'judge', embedding: 'meaning' },
  });
}

export function closeParts(parts: ServiceDeps): void {
  parts.aws.dynamodb.destroy();
  parts.aws.sqs.destroy();
}
