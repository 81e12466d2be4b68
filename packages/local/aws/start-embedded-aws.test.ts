import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { ensureTables } from './dynamodb/ensure-tables.ts';
import { startEmbeddedAws } from './start-embedded-aws.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'secret' };

async function dataFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'errand-aws-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

test('three services start as one, and tables and files are there at the next start', async () => {
  const options = {
    dataDir: await dataFolder(),
    host: '127.0.0.1',
    credentials,
    buckets: [{ name: 'files' }],
  };
  const shared = { region: 'eu-west-1', credentials };
  const first = await startEmbeddedAws(options);
  const object = { Bucket: 'files', Key: 'k' };
  const s3 = (endpoint: string) => new S3Client({ ...shared, endpoint, forcePathStyle: true });
  await s3(first.endpoints.s3).send(new PutObjectCommand({ ...object, Body: 'kept' }));
  await ensureTables(new DynamoDBClient({ ...shared, endpoint: first.endpoints.dynamodb }), [
    { name: 'Kept', partitionKey: 'pk' },
  ]);
  await first.close();

  const second = await startEmbeddedAws(options);
  onTestFinished(() => second.close());
  const found = await s3(second.endpoints.s3).send(new GetObjectCommand(object));
  expect(await found.Body!.transformToString()).toBe('kept');
  const dynamodb = new DynamoDBClient({ ...shared, endpoint: second.endpoints.dynamodb });
  expect((await dynamodb.send(new ListTablesCommand({}))).TableNames).toEqual(['Kept']);
  const sqs = new SQSClient({ ...shared, endpoint: second.endpoints.sqs });
  expect((await sqs.send(new ListQueuesCommand({}))).QueueUrls ?? []).toEqual([]);
});

test('a DynamoDB that runs elsewhere is used as it is', async () => {
  const elsewhere = 'http://127.0.0.1:9';
  const dataDir = await dataFolder();
  const aws = await startEmbeddedAws({
    dataDir,
    host: '127.0.0.1',
    credentials,
    dynamodbEndpoint: elsewhere,
  });
  expect(aws.endpoints.dynamodb).toBe(elsewhere);
  await aws.close();
});

test('a data folder is one process’s at a time, and free again after a failed start', async () => {
  const options = {
    dataDir: await dataFolder(),
    host: '127.0.0.1',
    credentials,
    dynamodbEndpoint: 'http://127.0.0.1:9',
  };
  await expect(startEmbeddedAws({ ...options, buckets: [{ name: 'Not A Name' }] })).rejects.toThrow(
    'bucket is not valid',
  );
  const first = await startEmbeddedAws(options);
  await expect(startEmbeddedAws(options)).rejects.toThrow('is in use by another process');
  await first.close();
  await (await startEmbeddedAws(options)).close();
});
