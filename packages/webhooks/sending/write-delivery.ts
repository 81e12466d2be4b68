import { putDelivery } from '../deliveries-store.ts';
import type { Delivery } from '../delivery.ts';
import type { OutboxDeps } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Message } from '../message.ts';
import { queueAttempt } from '../queue.ts';
import type { EndpointPlace } from '../store.ts';

/** Writes a delivery of a message to an endpoint, or to the address of a run, and queues its first attempt. */
export async function writeDelivery(
  deps: OutboxDeps,
  endpoint: Endpoint,
  message: Message,
  url?: string,
): Promise<Delivery> {
  const now = deps.clock();
  const delivery: Delivery = {
    id: url === undefined ? message.id : `${message.id}-run`,
    messageId: message.id,
    endpointId: endpoint.id,
    accountId: endpoint.accountId,
    keyId: endpoint.keyId,
    type: message.type,
    body: message.body,
    url,
    status: 'pending',
    attempts: 0,
    createdAt: new Date(now).toISOString(),
    startedAtMilliseconds: now,
    attemptsBefore: 0,
    nextAttemptMilliseconds: now,
  };
  await putDelivery(deps, delivery);
  // A delivery that was already stored may never have been queued. If it was queued, the second attempt is dropped.
  await queueAttempt(deps, attemptOf(delivery, now));
  return delivery;
}

/** The next attempt of a delivery, for the queue. */
export const attemptOf = (
  { accountId, keyId, endpointId, id, attempts }: Delivery,
  notBeforeMilliseconds: number,
) => ({
  endpoint: { accountId, keyId, id: endpointId } satisfies EndpointPlace,
  deliveryId: id,
  attempt: attempts,
  notBeforeMilliseconds,
});
