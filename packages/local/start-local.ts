import { type Clock, type Config, createAwsClients, type Log, systemClock } from '@errand/platform';
import { createServiceDeps, type ServiceDepsOptions } from '@errand/service';
import { startApi } from './api-part.ts';
import { startAws } from './aws-part.ts';
import { linkSecret, openDataFolder, StartError } from './data-folder.ts';
import { localCatalogue } from './local-catalogue.ts';
import type { Part } from './part.ts';
import { localQueues } from './queues.ts';
import { runningService } from './service-file.ts';
import { awsSettings } from './settings.ts';
import { watchAws } from './watch-aws.ts';
import { startWorker } from './worker-part.ts';

export type PartName = 'aws' | 'api' | 'worker';

export interface LocalService extends Part {
  baseUrl?: string;
  apiKey?: string;
  standIns: boolean;
  /** Whether runs can be started: switched on, and with a model that reasons. */
  takesRuns: boolean;
}

export interface StartOptions {
  config: Config;
  log: Log;
  clock?: Clock;
  /** How the upstream client waits between tries. */
  wait?: ServiceDepsOptions['wait'];
  /** The part to run alone; everything without it. */
  only?: PartName;
  /** The embedded AWS ended by itself: nothing can go on. */
  onExit(reason: string): void;
}

/** Starts the service, or one part of it, on a data folder. Throws `StartError`; then nothing is left running. */
export async function startLocal(options: StartOptions): Promise<LocalService> {
  const started: Started = { foundations: [], fronts: [] };
  const stop = async () => {
    // Requests and runs in flight end side by side, and with what they stand on still there.
    await Promise.all(started.fronts.splice(0).map((part) => part.stop()));
    for (const part of started.foundations.splice(0).reverse()) await part.stop();
  };
  try {
    return { ...(await startParts(options, started)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Started {
  foundations: Part[];
  fronts: Part[];
}

async function startParts(options: StartOptions, started: Started): Promise<Omit<LocalService, 'stop'>> {
  const { log, only, onExit } = options;
  const dataDir = await openDataFolder(options.config.dataDir);
  const config = { ...options.config, dataDir };
  const runs = (part: PartName) => only === undefined || only === part;
  const keep = <P extends Part>(part: P, among: Part[] = started.foundations): P => {
    among.push(part);
    return part;
  };
  // A wrong catalogue or a missing model stops the start before anything is made.
  const models = only === 'aws' ? undefined : keep(await localCatalogue(config));
  const aws = runs('aws') ? keep(await startAws(config, log, onExit)) : undefined;
  const takesRuns = config.agentsEnabled && models?.catalogue.roles.reasoning !== undefined;
  const base = { standIns: models?.standIns ?? false, takesRuns, ...(aws && { apiKey: aws.apiKey }) };
  if (!models) return base;
  const service = await runningService(dataDir);
  if (!service)
    throw new StartError(
      `Nothing serves the data folder ${dataDir} yet. Start it with: npm start -- --only aws`,
    );
  if (only !== undefined) keep(watchAws(dataDir, service, onExit));
  const { sqs } = createAwsClients(awsSettings(service.endpoints, ''));
  const queues = await localQueues(sqs);
  const parts = createServiceDeps({
    config: {
      ...config,
      linkSecret: config.linkSecret || (await linkSecret(dataDir)),
      aws: awsSettings(service.endpoints, queues.queueUrl),
    },
    catalogue: models.catalogue,
    clock: options.clock ?? systemClock,
    ...(options.wait && { wait: options.wait }),
    log,
  });
  // With the queue in memory, whoever starts it puts unfinished runs back.
  if (runs('worker')) keep(await startWorker(parts, queues, { resend: true }), started.fronts);
  if (!runs('api')) return base;
  const { baseUrl } = keep(await startApi(parts), started.fronts);
  return { ...base, baseUrl, ...(service.apiKey !== undefined && { apiKey: service.apiKey }) };
}
