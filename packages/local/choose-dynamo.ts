import { askDynamo, hasDynamoBinary, thisPlatform } from './aws/index.ts';
import { StartError } from './start-error.ts';

/** A DynamoDB that runs already, and why it is used. Absent: the service starts one of its own. */
export interface RunningDynamo {
  endpoint: string;
  reason: string;
}

/** What a start finds around it. Replaced in tests. */
export interface Machine {
  platform: string;
  /** Where DynamoDB Local listens unless it is told otherwise. */
  dynamodbLocal: string;
}

export const thisMachine: Machine = { platform: thisPlatform, dynamodbLocal: 'http://127.0.0.1:8000' };

/**
 * The DynamoDB that the environment names; undefined if the embedded one is to be started. Only where there is no embedded
 * one, a server at DynamoDB Local's port is used. Throws `StartError` if there is none either.
 */
export async function chooseDynamo(
  given: string | undefined,
  { platform, dynamodbLocal }: Machine,
): Promise<RunningDynamo | undefined> {
  if (given !== undefined) return { endpoint: given, reason: 'AWS_ENDPOINT_URL_DYNAMODB' };
  if (hasDynamoBinary(platform)) return undefined;
  const found = await askDynamo(dynamodbLocal);
  const none = `there is no embedded DynamoDB for ${platform}`;
  if (found === 'dynamodb') return { endpoint: dynamodbLocal, reason: `found there, because ${none}` };
  throw new StartError(
    [
      `${none.replace('there', 'There')}. Start Errand in containers, with one beside it: docker compose up.`,
      found === 'something else'
        ? `What answers at ${dynamodbLocal} is no DynamoDB; set AWS_ENDPOINT_URL_DYNAMODB to use one elsewhere.`
        : `Or start DynamoDB Local at ${dynamodbLocal}, where npm start finds it, or set AWS_ENDPOINT_URL_DYNAMODB.`,
    ].join(' '),
  );
}

export const describeDynamo = ({ endpoint, reason }: RunningDynamo): string =>
  `Tables: ${new URL(endpoint).origin} (${reason})`;
