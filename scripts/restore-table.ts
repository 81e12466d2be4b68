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
  type TableDescription,
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
  const there = await describe(client, to);
  if (there) checkMoment(there, restoring);
  else await begin(client, restoring);
  for (;;) {
    const status = (await describe(client, to))?.TableStatus;
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

/** Throws if the table that is there is another one than is asked for. AWS knows moments to the second. */
function checkMoment({ RestoreSummary }: TableDescription, { to, at, backupArn }: Restoring): void {
  const moment = RestoreSummary?.RestoreDateTime;
  const isOther = at
    ? Math.floor((moment?.getTime() ?? 0) / 1000) !== Math.floor(at.getTime() / 1000)
    : RestoreSummary?.SourceBackupArn !== undefined &&
      backupArn !== undefined &&
      RestoreSummary.SourceBackupArn !== backupArn;
  if (!isOther) return;
  const what = moment ? `as it was at ${moment.toISOString()}` : 'and no restore to a moment';
  throw new Error(`${to} is there already, ${what}: give the new one another name.`);
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
async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** What a restored table lacks of what a permanent stage's own has. Undefined if there is no such table. */
export async function lackingOf(client: DynamoDBClient, name: string): Promise<string[] | undefined> {
  const TableName = name;
  if (!(await describe(client, name))) return undefined;
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
