import { stat } from 'node:fs/promises';
import { type Clock, type Config, createAwsClients, type Log, newUuid, systemClock } from '@errand/platform';
import type { WorkerProcess } from '@errand/runs';
import { createServiceDeps } from '@errand/service';
import { type Machine, type RunningDynamo, thisMachine } from './choose-dynamo.ts';
import { linkSecret, openDataFolder, storeSecrets } from './data-folder.ts';
import { createChargeKeeper } from './kept-charges.ts';
import { localCatalogue, writeStandIns } from './local-catalogue.ts';
import { localQueues } from './queues.ts';
import { runningService } from './service-file.ts';
import type { SetUp } from './set-up/describe-set-up.ts';
import { awsSettings } from './settings.ts';
import { startApi } from './start-api.ts';
import { startAws } from './start-aws.ts';
import { StartError, toStartError } from './start-error.ts';
import { startWorker } from './start-worker.ts';
import type { Front, Stoppable } from './stoppable.ts';
import { watchAws } from './watch-aws.ts';

export type PartName = 'aws' | 'api' | 'worker';

export interface LocalService extends Stoppable {
  baseUrl?: string;
  apiKey?: string;
  /** Absent if the tables are in the embedded DynamoDB, or are another process's. */
  dynamodb?: RunningDynamo;
  /** Absent if only the embedded AWS was started. */
  setUp?: SetUp;
  /** True if runs are switched on and the catalogue has a reasoning model. */
  takesRuns: boolean;
  /** True if a run may have a document in its form. */
  takesFiles: boolean;
  /** Paths of the pages that were built. */
  pages: ReadonlySet<string>;
  /** What a stop waits for. */
  inFlight(): { requests: number; runs: number };
  /** Makes a stop that has begun end at once: leases are released, and connections cut. */
  force(): void;
}

interface StartOptions {
  config: Config;
  log: Log;
  clock?: Clock;
  machine?: Machine;
  /** The one part to start. Default: all of them. */
  only?: PartName;
  /** Called when the embedded AWS ends without having been stopped. Nothing works from then on. */
  onExit(reason: string): void;
}

/** Starts the service, or one part of it, on a data folder. Leaves nothing running if it throws `StartError`. */
export async function startLocal(options: StartOptions): Promise<LocalService> {
  const started: Started = { foundations: [], fronts: {} };
  const { fronts } = started;
  const stopAll = async () => {
    // Requests and runs end at the same time, while AWS and the models still answer.
    await Promise.all(Object.values(fronts).map((part) => part.stop()));
    for (const part of started.foundations.splice(0).reverse()) await part.stop();
  };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopAll();
    return stopping;
  };
  try {
    return {
      ...(await startParts(options, started)),
      stop,
      inFlight: () => ({ requests: fronts.api?.inFlight() ?? 0, runs: fronts.worker?.inFlight() ?? 0 }),
      force() {
        for (const part of Object.values(fronts)) part.force();
      },
    };
  } catch (error) {
    await stop();
    throw toStartError(error, options.config.dataDir);
  }
}

interface Started {
  /** AWS and the models. They are stopped last, the newest first, because the others need them. */
  foundations: Stoppable[];
  fronts: { api?: Front; worker?: Front };
}

/**
 * This process as the worker of a whole service. Its embedded AWS holds the data folder, by a lock of the operating
 * system: whatever whole service worked on the folder before has ended. A worker in a process of its own may outlive the
 * service, and has no name. The first account is the folder's and its copies', wherever its tables are; a copy is told by its
 * place on the disk.
 */
async function ownProcess(firstAccountId: string, dataDir: string): Promise<WorkerProcess> {
  const { ino, birthtimeMs } = await stat(dataDir);
  const ofFolder = `${firstAccountId}.${ino.toString(36)}.${Math.trunc(birthtimeMs).toString(36)}.`;
  const name = ofFolder + newUuid();
  return { name, hasEnded: (token) => token.startsWith(ofFolder) && !token.startsWith(name) };
}

const setUpOf = ({ catalogue, standIns, fromFile }: SetUp): SetUp => ({ catalogue, standIns, fromFile });

type Announced = Omit<LocalService, keyof Front>;

async function startParts(options: StartOptions, started: Started): Promise<Announced> {
  const { log, only, onExit } = options;
  const dataDir = await openDataFolder(options.config.dataDir);
  const config = { ...options.config, dataDir };
  const isWanted = (part: PartName) => only === undefined || only === part;
  const keep = <P extends Stoppable>(part: P): P => {
    started.foundations.push(part);
    return part;
  };
  // The catalogue is read first: an error in it stops the start before anything is made.
  const models = only === 'aws' ? undefined : keep(await localCatalogue(config, log));
  const aws = isWanted('aws')
    ? keep(await startAws(config, options.machine ?? thisMachine, log, onExit))
    : undefined;
  const takesRuns = config.agentsEnabled && models?.catalogue.roles.reasoning !== undefined;
  const base = {
    takesRuns,
    takesFiles: takesRuns && config.uploadsEnabled && config.documentConversionEnabled,
    pages: new Set<string>(),
    setUp: models && setUpOf(models),
    apiKey: aws?.apiKey,
    dynamodb: aws?.dynamodb && aws.dynamodb,
  };
  if (!models) return base;
  const service = await runningService(dataDir);
  if (!service)
    throw new StartError(
      `Nothing serves the data folder ${dataDir} yet. Start it with: npm start -- --only aws`,
    );
  if (only !== undefined) keep(watchAws(dataDir, service, onExit));
  const { sqs } = createAwsClients(awsSettings(service.endpoints));
  const queues = await localQueues(sqs);
  const parts = createServiceDeps({
    config: {
      ...config,
      linkSecret: config.linkSecret || (await linkSecret(dataDir)),
      storeSecrets: [...config.storeSecrets, ...(await storeSecrets(dataDir))],
      aws: awsSettings(service.endpoints, queues),
    },
    catalogue: models.catalogue,
    clock: options.clock ?? systemClock,
    deferCharge: keep(createChargeKeeper(dataDir, log)).keep,
    log,
  });
  // The queue is in memory and starts empty: unfinished runs are put back into it.
  if (isWanted('worker'))
    started.fronts.worker = await startWorker(parts, queues, {
      resend: true,
      process:
        aws && service.accountId !== undefined ? await ownProcess(service.accountId, dataDir) : undefined,
    });
  if (!isWanted('api')) return base;
  const api = await startApi(parts, config.modelCatalogue ?? (await writeStandIns(dataDir, models)));
  started.fronts.api = api;
  const { baseUrl, pages } = api;
  return { ...base, baseUrl, pages, ...(service.apiKey !== undefined && { apiKey: service.apiKey }) };
}
