import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createAwsClients, localCredentials as credentials, localRegion as region } from '@errand/platform';
import { expect, test } from 'vitest';
import { AwsRefuses, holdingBack, sendRefused } from './hold-commands.ts';

/** Where nobody listens: a command that is held back meets no connection. */
const endpoint = 'http://127.0.0.1:1';
const aws = createAwsClients({ region, credentials, endpoints: { dynamodb: endpoint, sqs: endpoint } });
const plain = { region, credentials, endpoint, maxAttempts: 1 };
const item = { pk: 'p', sk: '', big: 1 };
const QueueUrl = `${endpoint}/1/work`;

test.each([
  [
    'of the service',
    'UpdateItem: reserved word: name',
    () =>
      aws.dynamodb.send(
        new UpdateCommand({
          TableName: 'Values',
          Key: { pk: 'p', sk: 's' },
          UpdateExpression: 'REMOVE name',
        }),
      ),
  ],
  [
    'with values as they are after marshalling',
    'PutItem: keys: sk is empty',
    () =>
      DynamoDBDocumentClient.from(new DynamoDBClient(plain)).send(
        new PutCommand({ TableName: 'Values', Item: item }),
      ),
  ],
  [
    'with values as AWS has them',
    'PutItem: sets: tags is empty',
    () =>
      new DynamoDBClient(plain).send(
        new PutItemCommand({
          TableName: 'Values',
          Item: { pk: { S: 'p' }, sk: { S: 's' }, tags: { SS: [] } },
        }),
      ),
  ],
  [
    'to a queue',
    'SendMessage: numbers: DelaySeconds is 901',
    () => aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', DelaySeconds: 901 })),
  ],
  [
    'that becomes a link',
    'GetObject: keys: 1025 bytes',
    () =>
      getSignedUrl(new S3Client(plain), new GetObjectCommand({ Bucket: 'files', Key: 'x'.repeat(1_025) })),
  ],
  [
    'that becomes a link for no time',
    'GetObject: links: one that works for 0 s',
    () =>
      getSignedUrl(new S3Client(plain), new GetObjectCommand({ Bucket: 'files', Key: 'x' }), {
        expiresIn: 0,
      }),
  ],
])('a command %s that AWS refuses is not sent, and fails its test', async (_, message, send) => {
  const held = await holdingBack(async () => {
    const failure = await send().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(AwsRefuses);
    expect((failure as Error).message).toContain(message);
  });
  expect(held).toEqual([expect.stringContaining(message)]);
  expect(held[0]).toContain('hold-commands.test.ts');
});

test('a command that a test sends to see it refused reaches the emulator', async () => {
  const command = new SendMessageCommand({ QueueUrl, MessageBody: 'x', DelaySeconds: 901 });
  const failure = await sendRefused(() => aws.sqs.send(command)).catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(AwsRefuses);
  expect(failure).toMatchObject({ code: 'ECONNREFUSED' });
});
