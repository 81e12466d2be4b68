import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { localTableNames } from '@errand/platform';
import { type Cloud, startCloud } from '../../support/lambda/cloud.ts';
import { table } from '../figures.ts';
import { startConverting } from '../stage/converting.ts';
import { questions } from '../stage/models.ts';
import { createRun, workOnce } from '../stage/use-functions.ts';
import { bytesOf } from './keys.ts';
import { prices } from './prices.ts';

/** What AWS counts for each item of a table beside its attributes. */
const itemBytes = 100;
const shown = { runsOfDay: 1_000, days: 30 } as const;

export interface Stored {
  items: number;
  tableBytes: number;
  bucketBytes: number;
}

async function storedIn({ clients, files }: Cloud): Promise<Stored> {
  const scan = new ScanCommand({ TableName: localTableNames.runs, ConsistentRead: true });
  const { Items = [], LastEvaluatedKey } = await clients.dynamodb.send(scan);
  if (LastEvaluatedKey) throw new Error('the table has more than a page');
  let bucketBytes = 0;
  for await (const page of files.list(''))
    for (const { key } of page) bucketBytes += (await files.size(key)) ?? 0;
  const tableBytes = Items.reduce((sum, item) => sum + bytesOf(item) + itemBytes, 0);
  return { items: Items.length, tableBytes, bucketBytes };
}

/** What is more after the work than before. */
export async function left(cloud: Cloud, work: () => Promise<void>): Promise<Stored> {
  const before = await storedIn(cloud);
  await work();
  const after = await storedIn(cloud);
  return {
    items: after.items - before.items,
    tableBytes: after.tableBytes - before.tableBytes,
    bucketBytes: after.bucketBytes - before.bucketBytes,
  };
}

/** What runs leave behind, and what it costs for as long as they are kept. In a service of their own, whose queue has no other runs. */
export async function keptRunsTable(catalogue: object): Promise<string> {
  const cloud = await startCloud(catalogue);
  const converting = await startConverting(cloud);
  const [worker, converter] = [await cloud.start('worker'), await cloud.start('converter')];
  const plain = await left(cloud, async () => {
    await createRun(converting.agents, questions.simple);
    await workOnce(cloud, worker);
  });
  const withDocument = await left(cloud, async () => {
    await converting.create('office.pdf', converter);
    await workOnce(cloud, worker);
  });
  await converting.close();
  await cloud.stop();
  return table(
    [
      'a run',
      'items',
      'in the table',
      'in the bucket',
      '1,000 of them, a month',
      `${shown.runsOfDay.toLocaleString('en')} a day, each kept ${shown.days} days: a month`,
    ],
    [row('with one tool call', plain), row('with a PDF of 68 KB', withDocument)],
  );
}

function row(what: string, { items, tableBytes, bucketBytes }: Stored): string[] {
  const { tableGigabyteMonth, restoresGigabyteMonth, fileGigabyteMonth } = prices;
  const dollars =
    (tableBytes * (tableGigabyteMonth + restoresGigabyteMonth) + bucketBytes * fileGigabyteMonth) / 1e9;
  return [
    what,
    String(items),
    ...[tableBytes, bucketBytes].map((bytes) => `${(bytes / 1e3).toFixed(1)} KB`),
    `$${(1_000 * dollars).toFixed(4)}`,
    `$${(shown.runsOfDay * shown.days * dollars).toFixed(2)}`,
  ];
}
