import { S3Client } from '@aws-sdk/client-s3';
import {
  type Config,
  createAwsClients,
  type Log,
  localCredentials,
  systemClock,
  tableDefinitions,
  toSeconds,
} from '@errand/platform';
import { ensureBucket } from '@errand/s3-server';
import { ensureTables, startEmbeddedAws, sweepExpired } from './aws/index.ts';
import { StartError } from './data-folder.ts';
import { firstKey } from './first-key.ts';
import type { Part } from './part.ts';
import { localQueues } from './queues.ts';
import { announce, clearServiceFile, runningService } from './service-file.ts';
import { awsSettings, expirations, localBucket } from './settings.ts';

const sweepMilliseconds = 60 * 60 * 1000;

/** Starts the embedded AWS of a data folder, with tables, queues, bucket and first key, and says so in service.json. */
export async function startAws(
  config: Config,
  log: Log,
  onExit: (reason: string) => void,
): Promise<Part & { apiKey: string }> {
  const { dataDir } = config;
  const running = await runningService(dataDir);
  if (running)
    throw new StartError(
      `The data folder ${dataDir} is already served by process ${running.pid}${running.baseUrl ? ` at ${running.baseUrl}` : ''}.`,
    );
  await clearServiceFile(dataDir);
  const given = config.aws.endpoints.dynamodb;
  const aws = await startEmbeddedAws({
    dataDir,
    host: '127.0.0.1',
    credentials: localCredentials,
    buckets: [localBucket],
    ...(given !== undefined && { dynamodbEndpoint: given }),
    onExit,
    onError: (error) =>
      log.error('embedded aws', { error: error instanceof Error ? error.name : typeof error }),
  }).catch((error: unknown) => {
    throw new StartError(error instanceof Error ? error.message : 'The embedded AWS did not start.');
  });
  const { endpoints } = aws;
  const settings = awsSettings(endpoints, '');
  const clients = createAwsClients(settings);
  await ensureTables(clients.dynamodb, Object.values(tableDefinitions)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The tables could not be made at ${endpoints.dynamodb}: ${reason}`);
  });
  await localQueues(clients.sqs);
  const s3 = new S3Client({
    region: settings.region,
    endpoint: endpoints.s3,
    credentials: localCredentials,
    forcePathStyle: true,
  });
  await ensureBucket(s3, { bucket: localBucket, expirations, abortUploadsAfterDays: 1 });
  s3.destroy();
  const first = await firstKey(dataDir, {
    dynamodb: clients.dynamodb,
    tables: settings.tables,
    clock: systemClock,
  });
  const sweep = () =>
    sweepExpired(clients.dynamodb, Object.values(tableDefinitions), toSeconds(systemClock())).catch(() => {
      log.warn('expired items could not be swept');
    });
  await sweep();
  const timer = setInterval(() => void sweep(), sweepMilliseconds);
  const withdraw = await announce(dataDir, { ...first, pid: process.pid, endpoints });
  return {
    apiKey: first.apiKey,
    async stop() {
      clearInterval(timer);
      await withdraw();
      await aws.close();
    },
  };
}
