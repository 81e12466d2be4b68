import { DescribeTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { createAwsClients } from './clients.ts';
import { localCredentials, localRegion } from './local.ts';

let dynamo: TestDynamo;
let client: DynamoDBClient;
let dynamodb: DynamoDBDocumentClient;
let library: DynamoDBDocumentClient;
let TableName: string;

beforeAll(async () => {
  dynamo = await startTestDynamo();
  TableName = dynamo.tables.values;
  const settings = { region: localRegion, credentials: localCredentials };
  dynamodb = createAwsClients({ ...settings, endpoints: { dynamodb: dynamo.endpoint } }).dynamodb;
  client = new DynamoDBClient({ ...settings, endpoint: dynamo.endpoint });
  library = DynamoDBDocumentClient.from(client);
});
afterAll(async () => {
  client.destroy();
  await dynamo.close();
});

const Key = { pk: 'P', sk: '1' };
const other = { pk: 'P', sk: '2' };
const content = {
  text: 'ä',
  map: { list: [1, null, true] },
  set: new Set(['a']),
  bytes: new Uint8Array([1]),
};

/** Any command: each has types of its own. */
type Sent = object;

/** What a client is answered, but for what the SDK tells of the request. */
async function answerOf(sender: DynamoDBDocumentClient, command: Sent): Promise<object> {
  const { $metadata, ...answer } = await sender.send(command as GetCommand);
  expect($metadata).toMatchObject({ httpStatusCode: 200, attempts: 1 });
  return answer;
}

test('each command of the stores is answered as the SDK answers it', async () => {
  const ofPartition = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': 'P' },
  };
  const read = { RequestItems: { [TableName]: { Keys: [Key, other] } } };
  const commands: (() => Sent)[] = [
    () => new PutCommand({ TableName, Item: { ...Key, ...content }, ReturnValues: 'ALL_OLD' }),
    () => new GetCommand({ TableName, Key }),
    () => new GetCommand({ TableName, Key: { pk: 'P', sk: 'missing' } }),
    () =>
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET flag = :flag REMOVE nothing',
        ExpressionAttributeValues: { ':flag': true },
        ReturnValues: 'ALL_NEW',
      }),
    () =>
      new BatchWriteCommand({
        RequestItems: { [TableName]: [{ PutRequest: { Item: { ...other, n: 1.5 } } }] },
      }),
    () => new BatchGetCommand(read),
    () => new QueryCommand({ ...ofPartition, Limit: 1 }),
    () => new QueryCommand({ ...ofPartition, ExclusiveStartKey: Key }),
    () => new ScanCommand({ TableName }),
    () => new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: { ...other, n: 2 } } }] }),
    () => new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key } }] }),
    () => new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }),
    () => new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: other } }] } }),
  ];
  const answersOf = async (sender: DynamoDBDocumentClient) => {
    const answers: unknown[] = [];
    for (const command of commands) answers.push(await answerOf(sender, command()));
    return answers;
  };
  const ours = await answersOf(dynamodb);
  expect(ours).toEqual(await answersOf(library));
  expect(ours[1]).toMatchObject({ Item: { ...Key, text: 'ä' } });
});

test('members of an answer that are null are as if they were not there', async () => {
  onTestFinished(() => void dynamo.dynamodb.middlewareStack.remove('nothing'));
  dynamo.dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = {
        statusCode: 200,
        headers: {},
        body: Buffer.from('{"Item":null,"LastEvaluatedKey":null}'),
      };
      return { ...result, response };
    },
    { step: 'deserialize', name: 'nothing', priority: 'low' },
  );
  const { $metadata, ...answer } = await dynamo.dynamodb.send(new GetCommand({ TableName, Key }));
  expect(answer).toEqual({});
});

test("a command of the SDK's own is read as the SDK reads it", async () => {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  expect(Table?.CreationDateTime).toBeInstanceOf(Date);
  const put = new PutItemCommand({ TableName, Item: { pk: { S: 'P' }, sk: { S: 'raw' } } });
  await dynamodb.send(put);
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { pk: 'P', sk: 'raw' } }));
  expect(Item).toEqual({ pk: 'P', sk: 'raw' });
});

test('middleware that comes or goes after the first command of its kind is heard', async () => {
  const get = () => dynamodb.send(new GetCommand({ TableName, Key }));
  await get();
  const seen: unknown[] = [];
  onTestFinished(() => void dynamodb.middlewareStack.remove('watch'));
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      seen.push(args.input);
      return next(args);
    },
    { name: 'watch' },
  );
  await get();
  expect(seen).toEqual([{ TableName, Key }]);
  dynamodb.middlewareStack.remove('watch');
  await get();
  expect(seen).toHaveLength(1);
});

test('commands that are sent together have their own inputs, answers and errors', async () => {
  const keys = Array.from({ length: 20 }, (_, i) => ({ pk: 'TOGETHER', sk: String(i) }));
  const put = (Item: object, rest = {}) => new PutCommand({ TableName, Item: { ...Item }, ...rest });
  await Promise.all(keys.map((key) => dynamodb.send(put({ ...key, of: key.sk }))));
  const read = await Promise.all(
    keys.map(async (each) => (await dynamodb.send(new GetCommand({ TableName, Key: each }))).Item?.of),
  );
  expect(read).toEqual(keys.map(({ sk }) => sk));
  const taken = { ConditionExpression: 'attribute_not_exists(pk)' };
  const outcomes = await Promise.allSettled(
    keys.map((key, i) => dynamodb.send(put({ ...key }, i % 2 ? taken : {}))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(
    keys.map((_, i) => (i % 2 ? 'rejected' : 'fulfilled')),
  );
});

test('a command may be called off', async () => {
  const aborted = dynamodb.send(new GetCommand({ TableName, Key }), {
    abortSignal: AbortSignal.abort(),
  });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
});

test('middleware at the step that reads answers sees each answer before it is read, refusals too', async () => {
  const seen: unknown[] = [];
  onTestFinished(() => void dynamodb.middlewareStack.remove('watch'));
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      seen.push((result.response as { statusCode: number }).statusCode);
      return result;
    },
    { step: 'deserialize', name: 'watch' },
  );
  await dynamodb.send(new PutCommand({ TableName, Item: Key }));
  const taken = { ConditionExpression: 'attribute_not_exists(pk)' };
  const refused = dynamodb.send(new PutCommand({ TableName, Item: Key, ...taken }));
  await expect(refused).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  expect(seen).toEqual([200, 400]);
});
