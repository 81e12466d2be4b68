import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Hono } from 'hono';

/** The functions are measured against this: Hono and the same clients of AWS, and nothing of ours. */
const clients = [DynamoDBDocumentClient.from(new DynamoDBClient({})), new SQSClient({})];
const app = new Hono().get('/', (c) => c.json({ clients: clients.length }));

export const handler = async (event: { rawPath: string }): Promise<string> => {
  const answer = await app.request(event.rawPath);
  return answer.text();
};
