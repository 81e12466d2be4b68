import { DomainError, decodeCursor, encodeCursor, type Principal } from '@errand/platform';
import { changeDelivery, queryDeliveries, readDelivery } from './deliveries-store.ts';
import { type Delivery, viewDelivery } from './delivery.ts';
import type { WebhookRoutesDeps } from './deps.ts';
import { testEvent } from './event-types.ts';
import { getEndpoint } from './manage.ts';
import { newMessage } from './message.ts';
import { queueAttempt } from './queue.ts';
import { attemptOf, writeDelivery } from './sending/write-delivery.ts';

const deliveryId = /^msg_[0-9A-Za-z]{20}(-run)?$/;

/** A page of an endpoint's deliveries, newest first. Throws `not_found`. */
export async function listDeliveries(
  deps: WebhookRoutesDeps,
  principal: Principal,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const after =
    cursor === undefined
      ? undefined
      : decodeCursor(cursor, (position) => (deliveryId.test(position) ? position : undefined));
  await getEndpoint(deps, principal, id);
  const { deliveries, last } = await queryDeliveries(deps, id, { limit, after: after || undefined });
  return {
    deliveries: deliveries.map(viewDelivery),
    ...(last !== undefined && { cursor: encodeCursor(last) }),
  };
}

/** Sends a test event to the endpoint, even if the endpoint is switched off. Throws `not_found`. */
export async function sendTest(deps: WebhookRoutesDeps, principal: Principal, id: string): Promise<Delivery> {
  const endpoint = await getEndpoint(deps, principal, id);
  const { accountId, keyId } = principal;
  const told = { type: testEvent, accountId, keyId, data: { webhookId: id } };
  return writeDelivery(deps, endpoint, newMessage(deps, told));
}

/** Sends a delivery again now; if that fails, it is retried as often as a new delivery. Throws `not_found`. */
export async function redeliver(
  deps: WebhookRoutesDeps,
  principal: Principal,
  id: string,
  wanted: string,
): Promise<Delivery> {
  await getEndpoint(deps, principal, id);
  const now = deps.clock();
  for (;;) {
    const delivery = deliveryId.test(wanted) ? await readDelivery(deps, id, wanted) : undefined;
    if (!delivery) throw new DomainError('not_found');
    const changed = await changeDelivery(deps, delivery, {
      status: 'pending',
      attempts: delivery.attempts,
      startedAtMilliseconds: now,
      attemptsBefore: delivery.attempts,
      nextAttemptMilliseconds: now,
    });
    if (!changed) continue;
    await queueAttempt(deps, attemptOf(changed, now));
    return changed;
  }
}
