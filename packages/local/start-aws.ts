import {
  abortUploadsAfterDays,
  type Config,
  createAwsClients,
  fileExpirations,
  type Log,
  localBucket,
  localCredentials,
  systemClock,
  tableDefinitions,
  toSeconds,
} from '@errand/platform';
import { ensureTables, startEmbeddedAws, sweepExpired } from './aws/index.ts';
import { StartError } from './data-folder.ts';
import { firstKey } from './first-key.ts';
import { startWritingKept } from './kept-charges.ts';
import { localQueues } from './queues.ts';
import { announce, clearServiceFile, runningService } from './service-file.ts';
import { awsSettings } from './settings.ts';
import type { Stoppable } from './stoppable.ts';

const sweepMilliseconds = 60 * 60 * 1000;

/** Starts a data folder's embedded AWS, makes tables, queues, bucket and first key, and writes service.json. */
export async function startAws(
  config: Config,
  log: Log,
  onExit: (reason: string) => void,
): Promise<Stoppable & { apiKey: string }> {
  const { dataDir } = config;
  const running = await runningService(dataDir);
  if (running)
    throw new StartError(
      `The data folder ${dataDir} is already served by process ${running.pid}${running.baseUrl ? ` at ${running.baseUrl}` : ''}.`,
    );
  await clearServiceFile(dataDir);
  const dynamodbEndpoint = config.aws.endpoints.dynamodb;
  const aws = await startEmbeddedAws({
    dataDir,
    host: '127.0.0.1',
    credentials: localCredentials,
    buckets: [{ name: localBucket, expirations: fileExpirations, abortUploadsAfterDays }],
    ...(dynamodbEndpoint !== undefined && { dynamodbEndpoint }),
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
  const kept = await startWritingKept(dataDir, { ...clients, tables: settings.tables, log });
  const withdraw = await announce(dataDir, { ...first, pid: process.pid, endpoints });
  return {
    apiKey: first.apiKey,
    async stop() {
      clearInterval(timer);
      await withdraw();
      await kept.stop();
      await aws.close();
    },
  };
}
