import {
  ConditionsFailed,
  getItem,
  itemsByStatus,
  limits,
  putItem,
  queryPage,
  runsPartitions,
  scanInBackground,
  scanPages,
  toSeconds,
  updateItem,
} from '@errand/platform';
import type { Delivery } from './delivery.ts';
import type { WebhookStoreDeps } from './deps.ts';
import { deliveryPartition, itemKeys } from './item-keys.ts';
import { unsentStatus } from './message.ts';

/** Writes a delivery unless it is there. False if it was. */
export async function putDelivery(deps: WebhookStoreDeps, delivery: Delivery): Promise<boolean> {
  try {
    await putItem(deps, {
      condition: 'delivery-new',
      TableName: deps.tables.runs,
      Item: {
        ...itemKeys.delivery(delivery.endpointId, delivery.id),
        ...delivery,
        expiresAtSeconds: toSeconds(deps.clock()) + limits.webhookDeliveryKeptSeconds,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}

export const readDelivery = (
  deps: WebhookStoreDeps,
  endpointId: string,
  id: string,
): Promise<Delivery | undefined> =>
  getItem<Delivery>(deps, deps.tables.runs, itemKeys.delivery(endpointId, id));

/** A page of an endpoint's deliveries, newest first. `last` is the id after which the next page begins. */
export async function queryDeliveries(
  deps: WebhookStoreDeps,
  endpointId: string,
  { limit, after }: { limit: number; after?: string },
): Promise<{ deliveries: Delivery[]; last?: string }> {
  const pk = deliveryPartition(endpointId);
  const { items, last } = await queryPage<Delivery>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ScanIndexForward: false,
    Limit: limit,
    ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
  });
  return { deliveries: items, last: last && String(last.sk) };
}

/** The fields that an attempt, or a request for a further attempt, changes. A field that is undefined is removed. */
type DeliveryChanges = Pick<Delivery, 'status' | 'attempts'> &
  Partial<
    Record<
      | 'lastAttemptAt'
      | 'nextAttemptMilliseconds'
      | 'answer'
      | 'error'
      | 'startedAtMilliseconds'
      | 'attemptsBefore',
      unknown
    >
  >;

/** Changes a delivery that has had this many attempts. Undefined if the delivery has had more by now, or is gone. */
export async function changeDelivery(
  deps: WebhookStoreDeps,
  { endpointId, id, attempts }: Pick<Delivery, 'endpointId' | 'id' | 'attempts'>,
  changes: DeliveryChanges,
): Promise<Delivery | undefined> {
  const entries = Object.entries(changes);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  try {
    const changed = await updateItem(deps, {
      condition: 'attempts-unchanged',
      TableName: deps.tables.runs,
      Key: itemKeys.delivery(endpointId, id),
      UpdateExpression: [
        `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: '#attempts = :before',
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':before': attempts,
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      },
      ReturnValues: 'ALL_NEW',
    });
    return changed as unknown as Delivery;
  } catch (error) {
    if (error instanceof ConditionsFailed) return undefined;
    throw error;
  }
}

/** A message or delivery that is still to be sent, and since when it is due. */
type Unsent = { dueMilliseconds: number } & (
  | { source: string; accountId: string; delivery?: never }
  | { delivery: Delivery; source?: never; accountId?: never }
);

type UnsentItem = Delivery & { pk: string; expiresAtSeconds: number };

function toUnsent({ pk, expiresAtSeconds, ...item }: UnsentItem): Unsent {
  const writtenMilliseconds = (expiresAtSeconds - limits.webhookMessageKeptSeconds) * 1000;
  return pk.startsWith(runsPartitions.webhookMessage)
    ? {
        source: pk.slice(runsPartitions.webhookMessage.length),
        accountId: item.accountId,
        dueMilliseconds: writtenMilliseconds,
      }
    : { delivery: item, dueMilliseconds: item.nextAttemptMilliseconds ?? item.startedAtMilliseconds };
}

const pending = 'pending' satisfies Delivery['status'];

/** The sources in the outbox, and the deliveries that are not done. Reads the whole table. */
export async function* unsent(deps: WebhookStoreDeps): AsyncGenerator<Unsent> {
  const pages = scanPages<UnsentItem>(deps, {
    TableName: deps.tables.runs,
    FilterExpression:
      '(begins_with(pk, :messages) AND sk = :message) OR (begins_with(pk, :deliveries) AND #status = :pending)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':messages': runsPartitions.webhookMessage,
      ':message': itemKeys.message('').sk,
      ':deliveries': runsPartitions.webhookDeliveries,
      ':pending': pending,
    },
  });
  for await (const page of pages) yield* page.map(toUnsent);
}

/** The same for a queue that lost its messages. Only the service on one machine can tell them. */
export async function* lostUnsent(deps: WebhookStoreDeps): AsyncGenerator<Unsent> {
  for (const [prefix, status] of [
    [runsPartitions.webhookMessage, unsentStatus],
    [runsPartitions.webhookDeliveries, pending],
  ] as const)
    for await (const page of itemsByStatus<UnsentItem>(deps, prefix, [status])) yield* page.map(toUnsent);
}

/** The sources in the outbox that earlier releases have put there, which no index has. */
export async function* earlierUnsent(
  deps: WebhookStoreDeps,
  pace: Parameters<typeof scanInBackground>[2],
): AsyncGenerator<string> {
  const scan = {
    TableName: deps.tables.runs,
    FilterExpression: 'begins_with(pk, :messages) AND sk = :message AND attribute_not_exists(#status)',
    ProjectionExpression: 'pk',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':messages': runsPartitions.webhookMessage,
      ':message': itemKeys.message('').sk,
    },
  };
  for await (const page of scanInBackground<{ pk: string }>(deps, scan, pace))
    for (const { pk } of page) yield pk.slice(runsPartitions.webhookMessage.length);
}
