import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { delay, localCredentials, localRegion } from '@errand/platform';

/** DynamoDB Local's first answer took 2 s on a busy machine. */
const askMilliseconds = 10_000;

/** Finds out what answers at an address: a DynamoDB lists its tables, any other server does not. */
export async function askDynamo(
  endpoint: string,
  milliseconds = askMilliseconds,
): Promise<'dynamodb' | 'something else' | 'nothing'> {
  const client = new DynamoDBClient({
    endpoint,
    region: localRegion,
    credentials: localCredentials,
    maxAttempts: 1,
  });
  const abortSignal = AbortSignal.timeout(milliseconds);
  try {
    const { TableNames: names } = await client.send(new ListTablesCommand({}), { abortSignal });
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
