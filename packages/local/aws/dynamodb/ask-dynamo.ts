import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { delay, localCredentials, localRegion } from '@errand/platform';

const askMilliseconds = 2_000;

/** What answers at an address: a DynamoDB lists its tables, any other server does not. */
export async function askDynamo(endpoint: string): Promise<'dynamodb' | 'something else' | 'nothing'> {
  const client = new DynamoDBClient({
    endpoint,
    region: localRegion,
    credentials: localCredentials,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: askMilliseconds, requestTimeout: askMilliseconds },
  });
  try {
    const { TableNames: names } = await client.send(new ListTablesCommand({}));
    return Array.isArray(names) ? 'dynamodb' : 'something else';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'nothing' : 'something else';
  } finally {
    client.destroy();
  }
}

const askAgainMilliseconds = 250;

/** Waits until a server answers, whatever it says. Returns false if none does before the signal. */
export async function waitForServer(endpoint: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted)
    try {
      await (await fetch(new URL(endpoint).origin, { signal })).body?.cancel();
      return true;
    } catch {
      await delay(askAgainMilliseconds, signal).catch(() => undefined);
    }
  return false;
}
