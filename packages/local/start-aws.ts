import {
  abortUploadsAfterDays,
  type Config,
  createAwsClients,
  describeError,
  fileExpirations,
  type Log,
  localBucket,
  localCredentials,
  localTableDefinitions,
  systemClock,
} from '@errand/platform';
import { type EmbeddedAws, ensureTables, startEmbeddedAws, waitForServer } from './aws/index.ts';
import { chooseDynamo, type Machine, type RunningDynamo } from './choose-dynamo.ts';
import { firstKey } from './first-key.ts';
import { startWritingKept } from './kept-charges.ts';
import { localQueues } from './queues.ts';
import { announce, clearServiceFile, runningService } from './service-file.ts';
import { awsSettings } from './settings.ts';
import { StartError, toStartError } from './start-error.ts';
import type { Stoppable } from './stoppable.ts';
import { startSweeping } from './sweeping.ts';

/** DynamoDB Local took 25 s to start on a busy machine. */
const dynamoWaitMilliseconds = 60_000;
const firstTryMilliseconds = 1_000;

interface LocalAws extends Stoppable {
  apiKey: string;
  /** Absent if the tables are in the embedded DynamoDB. */
  dynamodb?: RunningDynamo;
}

/** Starts a data folder's embedded AWS, makes tables, queues, bucket and first key, and writes service.json. */
export async function startAws(
  config: Config,
  machine: Machine,
  log: Log,
  onExit: (reason: string) => void,
): Promise<LocalAws> {
  const { dataDir } = config;
  const running = await runningService(dataDir);
  if (running)
    throw new StartError(
      `The data folder ${dataDir} is already served by process ${running.pid}${running.baseUrl ? ` at ${running.baseUrl}` : ''}.`,
    );
  await clearServiceFile(dataDir);
  const dynamodb = await chooseDynamo(config.aws.endpoints.dynamodb, machine);
  if (dynamodb) await waitForDynamo(dynamodb, log);
  const aws = await startEmbedded(config, dynamodb, log, onExit);
  try {
    return { ...(await furnish(config, log, aws)), dynamodb };
  } catch (error) {
    await aws.close();
    throw error;
  }
}

/** One that starts at the same time may not answer yet. One that never does is told of when the tables are made. */
async function waitForDynamo({ endpoint }: RunningDynamo, log: Log): Promise<void> {
  const { origin } = new URL(endpoint);
  if (await waitForServer(origin, AbortSignal.timeout(firstTryMilliseconds))) return;
  log.warn('waiting for the DynamoDB', { endpoint: origin });
  await waitForServer(origin, AbortSignal.timeout(dynamoWaitMilliseconds));
}

function startEmbedded(
  { dataDir, runReadableDays }: Config,
  dynamodb: RunningDynamo | undefined,
  log: Log,
  onExit: (reason: string) => void,
): Promise<EmbeddedAws> {
  return startEmbeddedAws({
    dataDir,
    host: '127.0.0.1',
    credentials: localCredentials,
    buckets: [{ name: localBucket, expirations: fileExpirations(runReadableDays), abortUploadsAfterDays }],
    dynamodbEndpoint: dynamodb?.endpoint,
    onExit,
    onError: (error) => log.error('embedded aws', describeError(error)),
  }).catch((error: unknown) => {
    const known = toStartError(error, dataDir);
    if (known instanceof StartError || !(error instanceof Error)) throw known;
    throw new StartError(`The embedded AWS did not start: ${error.message}`);
  });
}

/** Makes what the service needs in an AWS that has just been started, and tells other processes of it. */
async function furnish(
  { dataDir, aws: { endpoints: given } }: Config,
  log: Log,
  aws: EmbeddedAws,
): Promise<Stoppable & { apiKey: string }> {
  const { endpoints } = aws;
  const settings = awsSettings(endpoints);
  const clients = createAwsClients(settings);
  await ensureTables(clients.dynamodb, localTableDefinitions).catch((error: unknown) => {
    const known = toStartError(error, dataDir);
    if (known instanceof StartError && given.dynamodb === undefined) throw known;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The tables could not be made at ${endpoints.dynamodb}: ${reason}`);
  });
  await localQueues(clients.sqs);
  const first = await firstKey(dataDir, {
    dynamodb: clients.dynamodb,
    tables: settings.tables,
    clock: systemClock,
  });
  const kept = await startWritingKept(dataDir, {
    ...clients,
    tables: settings.tables,
    clock: systemClock,
    log,
  });
  const withdraw = await announce(dataDir, { ...first, pid: process.pid, endpoints });
  const sweeping = startSweeping({ dynamodb: clients.dynamodb, clock: systemClock, log });
  return {
    apiKey: first.apiKey,
    async stop() {
      await sweeping.stop();
      await withdraw();
      await kept.stop();
      await aws.close();
    },
  };
}
