import { ConditionsFailed, limits, toSeconds, updateItem } from '@errand/platform';
import type { WebhookStoreDeps } from '../deps.ts';
import { itemKeys } from '../item-keys.ts';

/** The attempts of an account that are under way, and those of each of its hosts by `host#` and its name. */
type UnderWay = { attempts?: ReadonlySet<string> } & Record<string, unknown>;

const hostPrefix = 'host#';

/** The hosts that an account's attempts are under way to. */
export const hostsOf = (underWay: UnderWay): string[] =>
  Object.keys(underWay)
    .filter((attribute) => attribute.startsWith(hostPrefix))
    .map((attribute) => attribute.slice(hostPrefix.length));

/** Adds an attempt if its account and its host have room. Returns undefined if that succeeds, otherwise what is under way. */
export async function addAttempt(
  deps: WebhookStoreDeps,
  accountId: string,
  host: string,
  name: string,
): Promise<UnderWay | undefined> {
  try {
    await updateItem(deps, {
      condition: 'attempt-has-room',
      TableName: deps.tables.runs,
      Key: itemKeys.underWay(accountId),
      UpdateExpression: 'ADD attempts :names, #host :names SET expiresAtSeconds = :expires',
      ConditionExpression:
        '(attribute_not_exists(attempts) OR size(attempts) < :most) AND (attribute_not_exists(#host) OR size(#host) < :mostOfHost)',
      ExpressionAttributeNames: { '#host': hostPrefix + host },
      ExpressionAttributeValues: {
        ':names': new Set([name]),
        ':most': limits.webhookAttemptsPerAccount,
        ':mostOfHost': limits.webhookAttemptsPerHost,
        ':expires': expiryOf(deps),
      },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    return error.item('attempt-has-room') as UnderWay;
  }
}

/** Takes attempts away that are over. DynamoDB removes a set with its last member. */
export async function removeAttempts(
  deps: WebhookStoreDeps,
  accountId: string,
  hosts: readonly string[],
  names: readonly string[],
): Promise<void> {
  const sets = ['attempts', ...hosts.map((_, index) => `#host${index}`)];
  await updateItem(deps, {
    TableName: deps.tables.runs,
    Key: itemKeys.underWay(accountId),
    // The update makes an item that is gone anew, and that one has to expire too.
    UpdateExpression: `DELETE ${sets.map((set) => `${set} :names`).join(', ')} SET expiresAtSeconds = if_not_exists(expiresAtSeconds, :expires)`,
    ExpressionAttributeNames: Object.fromEntries(
      hosts.map((host, index) => [`#host${index}`, hostPrefix + host]),
    ),
    ExpressionAttributeValues: { ':names': new Set(names), ':expires': expiryOf(deps) },
  });
}

const expiryOf = ({ clock }: WebhookStoreDeps): number =>
  toSeconds(clock() + limits.webhookUnderWayMilliseconds) + 1;
