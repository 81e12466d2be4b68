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
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { lackingOf, restoreTable } from '../../scripts/restore-table.ts';

/** No emulator restores a table. */
const client = new DynamoDBClient({ region: 'eu-central-1' });
let mock: ReturnType<typeof mockClient>;
beforeEach(() => {
  mock = mockClient(client);
  onTestFinished(() => mock.restore());
});

const [from, to] = ['errand-x-AccountsTable-old', 'errand-x-AccountsTable-back'];
const missing = new ResourceNotFoundException({ message: 'no table', $metadata: {} });
const status = (TableStatus: 'CREATING' | 'ACTIVE', DeletionProtectionEnabled = false) =>
  ({
    Table: { TableStatus, DeletionProtectionEnabled },
  }) as object;

/** What the table has, beside its items. */
function has({ all }: { all: boolean }): void {
  const PointInTimeRecoveryStatus = all ? 'ENABLED' : 'DISABLED';
  mock.on(DescribeTimeToLiveCommand).resolves({
    TimeToLiveDescription: { TimeToLiveStatus: all ? 'ENABLED' : 'DISABLED' },
  });
  mock.on(DescribeContinuousBackupsCommand).resolves({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus },
    },
  });
}

const sent = () =>
  mock
    .calls()
    .map(({ args }) => args[0])
    .filter((command) => !/^Describe/.test(command.constructor.name))
    .map((command) => [command.constructor.name, command.input]);

const completed = [
  [
    UpdateTimeToLiveCommand.name,
    { TableName: to, TimeToLiveSpecification: { AttributeName: 'expiresAtSeconds', Enabled: true } },
  ],
  [
    UpdateContinuousBackupsCommand.name,
    { TableName: to, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
  ],
  [UpdateTableCommand.name, { TableName: to, DeletionProtectionEnabled: true }],
];

test('a restore waits for the new table and gives it what AWS leaves out', async () => {
  mock
    .on(DescribeTableCommand)
    .rejectsOnce(missing)
    .rejectsOnce(missing)
    .resolvesOnce(status('CREATING'))
    .resolves(status('ACTIVE'));
  has({ all: false });
  const waited: string[] = [];
  const at = new Date('2026-11-27T02:00:00Z');
  await restoreTable(
    client,
    { from, to, at },
    { wait: async () => {}, onStatus: (told) => waited.push(told) },
  );
  expect(waited).toEqual(['not there yet', 'CREATING']);
  const asked = { SourceTableName: from, TargetTableName: to, RestoreDateTime: at };
  expect(sent()).toEqual([[RestoreTableToPointInTimeCommand.name, asked], ...completed]);
});

test('without a moment a restore goes to the latest one, with a backup to that', async () => {
  for (const backupArn of [undefined, 'arn:backup']) {
    mock.reset();
    mock.on(DescribeTableCommand).rejectsOnce(missing).resolves(status('ACTIVE', true));
    has({ all: true });
    await restoreTable(client, { from, to, backupArn });
    expect(sent()).toEqual([
      backupArn === undefined
        ? [
            RestoreTableToPointInTimeCommand.name,
            { SourceTableName: from, TargetTableName: to, UseLatestRestorableTime: true },
          ]
        : [RestoreTableFromBackupCommand.name, { BackupArn: backupArn, TargetTableName: to }],
    ]);
  }
});

test('a restore that was interrupted is completed and not begun again', async () => {
  mock.on(DescribeTableCommand).resolves(status('ACTIVE'));
  has({ all: false });
  await restoreTable(client, { from, to });
  expect(sent()).toEqual(completed);
});

test.each([
  ['another moment', { RestoreDateTime: new Date('2026-11-27T02:00:00Z') }],
  ['no restore', undefined],
])(
  'a table that is there already, of %s, is not taken for the one that was asked for',
  async (_, RestoreSummary) => {
    const { Table } = status('ACTIVE') as { Table: object };
    mock.on(DescribeTableCommand).resolves({ Table: { ...Table, RestoreSummary } } as object);
    has({ all: false });
    const restoring = { from, to, at: new Date('2026-11-27T01:00:00Z') };
    await expect(restoreTable(client, restoring)).rejects.toThrow('give the new one another name');
    expect(sent()).toEqual([]);
  },
);

test('a restore to a moment that was interrupted is completed when it is repeated', async () => {
  const RestoreDateTime = new Date('2026-11-27T02:00:00Z');
  const { Table } = status('ACTIVE') as { Table: object };
  mock
    .on(DescribeTableCommand)
    .resolves({ Table: { ...Table, RestoreSummary: { RestoreDateTime } } } as object);
  has({ all: false });
  await restoreTable(client, { from, to, at: new Date('2026-11-27T02:00:00.400Z') });
  expect(sent()).toEqual(completed);
});

test('a restore asks again while AWS still prepares the backups of the new table', async () => {
  mock.on(DescribeTableCommand).resolves(status('ACTIVE'));
  has({ all: false });
  const message = 'Backups are being enabled for the table';
  mock
    .on(UpdateContinuousBackupsCommand)
    .rejectsOnce(new ContinuousBackupsUnavailableException({ message, $metadata: {} }))
    .resolves({});
  let waits = 0;
  await restoreTable(client, { from, to }, { wait: async () => void waits++ });
  expect(waits).toBe(1);
  expect(mock.commandCalls(UpdateContinuousBackupsCommand)).toHaveLength(2);
  expect(sent().at(-1)).toEqual(completed.at(-1));
});

test('what a table lacks is named, unless there is none', async () => {
  mock.on(DescribeTableCommand).rejectsOnce(missing);
  expect(await lackingOf(client, to)).toBeUndefined();
  mock.on(DescribeTableCommand).resolves(status('ACTIVE'));
  has({ all: false });
  expect(await lackingOf(client, to)).toEqual(['expiry', 'restores of its own', 'protection from deletion']);
  mock.on(DescribeTableCommand).resolves(status('ACTIVE', true));
  has({ all: true });
  expect(await lackingOf(client, to)).toEqual([]);
});
