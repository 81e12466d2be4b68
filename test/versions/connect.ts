import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localCredentials, localRegion } from '@errand/platform';
import type { TestDynamo } from '../support/dynamodb.ts';

export interface Hooks {
  /** If it throws, the command is not sent. `index` counts commands from 0. */
  before?(index: number, command: string, input: unknown): void | Promise<void>;
  /** If it throws, the command was carried out and its answer is lost. */
  after?(index: number, command: string): void | Promise<void>;
}

/** Another client of the same embedded DynamoDB, with hooks before and after its commands. */
export function connect(dynamo: TestDynamo, hooks: Hooks): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    endpoint: dynamo.endpoint,
    region: localRegion,
    credentials: localCredentials,
  });
  let sent = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const index = sent++;
      const name = String(context.commandName);
      await hooks.before?.(index, name, args.input);
      const result = await next(args);
      await hooks.after?.(index, name);
      return result;
    },
    { step: 'initialize', name: 'hooks' },
  );
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
