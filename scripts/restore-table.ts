import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  ContinuousBackupsUnavailableException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableDefinitions } from '@errand/platform';

/** All tables have the same one. */
const { timeToLiveAttribute } = tableDefinitions.accounts;

const pollMilliseconds = 10_000;

interface Restoring {
  from: string;
  to: string;
  /** The moment to go back to. Absent: the latest one, some five minutes ago. */
  at?: Date;
  /** A backup in place of a moment. */
  backupArn?: string;
}

interface Waiting {
  wait?(milliseconds: number): Promise<void>;
  onStatus?(status: string): void;
}

/**
 * Restores a table to a new one and gives that what a restore leaves out: expiry, restores of its own, protection from
 * deletion. If the new one is there, it is waited for and completed, so an interrupted restore is repeated as it was begun.
 */
export async function restoreTable(
  client: DynamoDBClient,
  restoring: Restoring,
  { wait = delay, onStatus }: Waiting = {},
): Promise<void> {
  const { to } = restoring;
  if ((await statusOf(client, to)) === undefined) await begin(client, restoring);
  for (;;) {
    const status = await statusOf(client, to);
    if (status === 'ACTIVE') break;
    onStatus?.(status ?? 'not there yet');
    await wait(pollMilliseconds);
  }
  const lacking = (await lackingOf(client, to)) ?? [];
  if (lacking.includes('expiry'))
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: to,
        TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
      }),
    );
  while (lacking.includes('restores of its own') && !(await allowRestores(client, to))) {
    onStatus?.('not ready for restores of its own');
    await wait(pollMilliseconds);
  }
  if (lacking.includes('protection from deletion'))
    await client.send(new UpdateTableCommand({ TableName: to, DeletionProtectionEnabled: true }));
}

/** False while AWS still prepares the backups of a new table. */
async function allowRestores(client: DynamoDBClient, name: string): Promise<boolean> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  try {
    await client.send(
      new UpdateContinuousBackupsCommand({ TableName: name, PointInTimeRecoverySpecification }),
    );
    return true;
  } catch (error) {
    if (error instanceof ContinuousBackupsUnavailableException) return false;
    throw error;
  }
}

async function begin(client: DynamoDBClient, { from, to, at, backupArn }: Restoring): Promise<void> {
  if (backupArn !== undefined) {
    await client.send(new RestoreTableFromBackupCommand({ BackupArn: backupArn, TargetTableName: to }));
    return;
  }
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: from,
      TargetTableName: to,
      ...(at ? { RestoreDateTime: at } : { UseLatestRestorableTime: true }),
    }),
  );
}

/** Undefined if there is no such table. */
async function statusOf(client: DynamoDBClient, name: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** What a restored table lacks of what a permanent stage's own has. Undefined if there is no such table. */
export async function lackingOf(client: DynamoDBClient, name: string): Promise<string[] | undefined> {
  const TableName = name;
  if ((await statusOf(client, name)) === undefined) return undefined;
  const [{ Table }, { TimeToLiveDescription }, { ContinuousBackupsDescription }] = await Promise.all([
    client.send(new DescribeTableCommand({ TableName })),
    client.send(new DescribeTimeToLiveCommand({ TableName })),
    client.send(new DescribeContinuousBackupsCommand({ TableName })),
  ]);
  const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  return [
    ...(/^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '') ? [] : ['expiry']),
    ...(recovery === 'ENABLED' ? [] : ['restores of its own']),
    ...(Table?.DeletionProtectionEnabled ? [] : ['protection from deletion']),
  ];
}

const usage =
  'usage: AWS_REGION=REGION node scripts/restore-table.ts FROM TO [--at 2026-11-27T02:00:00Z | --backup ARN]';

async function main(given: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { at: { type: 'string' }, backup: { type: 'string' } },
  });
  const [from, to, ...others] = positionals;
  const region = process.env.AWS_REGION;
  const at = values.at === undefined ? undefined : new Date(values.at);
  if (!from || !to || !region || others.length > 0 || Number.isNaN(at?.getTime())) throw new Error(usage);
  const begun = performance.now();
  const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`;
  const onStatus = (status: string) => console.error(`${seconds()}: ${to} is ${status}`);
  await restoreTable(
    new DynamoDBClient({ region }),
    { from, to, at, backupArn: values.backup },
    { onStatus },
  );
  console.log(`${to} is ready after ${seconds()}.`);
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
