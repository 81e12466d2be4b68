import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { awsSettings, localQueues, startDynamo } from '@errand/local/testing';
import { createAwsClients, localCredentials, localRegion } from '@errand/platform';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';
import { keptCharges } from './data-folder.ts';
import { readServiceFile } from './process.ts';

const batchItems = 25;

/**
 * A stage in the place of a data folder: tables that hold the items of the folder, its objects, the secret of its links
 * in the environment, and charges in the queue. The folder keeps its objects alone.
 */
export async function makeStage(dataDir: string) {
  const dynamo = await startTestDynamo();
  await copyTables(path.join(dataDir, 'dynamodb.sqlite'), dynamo);
  const linkSecret = await readFile(path.join(dataDir, 'link-secret'), 'utf8');
  const charges = await keptCharges(dataDir);
  for (const suffix of ['', '-wal', '-shm']) await rm(path.join(dataDir, `dynamodb.sqlite${suffix}`));
  for (const name of ['link-secret', 'first-key.json', 'charges'])
    await rm(path.join(dataDir, name), { recursive: true });
  return {
    env: { AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint, LINK_SECRET: linkSecret },
    /** Sends each charge twice, as a queue may deliver it. */
    async sendCharges() {
      for (const charge of [...charges, ...charges]) await sendCharge(dataDir, charge);
    },
    close: () => dynamo.close(),
  };
}

async function copyTables(file: string, to: TestDynamo): Promise<void> {
  const source = await startDynamo({ file, host: '127.0.0.1' });
  const options = { endpoint: source.endpoint, region: localRegion, credentials: localCredentials };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(options));
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of TableNames)
    for await (const { Items = [] } of paginateScan({ client }, { TableName }))
      for (let at = 0; at < Items.length; at += batchItems) {
        const writes = Items.slice(at, at + batchItems).map((Item) => ({ PutRequest: { Item } }));
        const command = new BatchWriteCommand({ RequestItems: { [TableName]: writes } });
        const { UnprocessedItems = {} } = await to.dynamodb.send(command);
        if (Object.keys(UnprocessedItems).length > 0) throw new Error('not every item was written');
      }
  client.destroy();
  await source.close();
}

/** In the queue's message of today. A later release that sends another one must still take this one. */
async function sendCharge(dataDir: string, charge: { payer: { accountId: string } }): Promise<void> {
  const { endpoints } = await readServiceFile(dataDir);
  const { sqs } = createAwsClients(awsSettings(endpoints));
  const { queueUrl } = await localQueues(sqs);
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageGroupId: charge.payer.accountId,
      MessageBody: JSON.stringify({ kind: 'charge', charge }),
    }),
  );
  sqs.destroy();
}
