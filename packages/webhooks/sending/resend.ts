import { unsent } from '../deliveries-store.ts';
import type { OutboxDeps } from '../deps.ts';
import { queueAttempt, queueMessage } from '../queue.ts';
import { attemptOf } from './write-delivery.ts';

/** Queues all that is not delivered yet, for a queue that lost its messages. The embedded queue does that when its process ends. */
export async function resendWebhooks(deps: OutboxDeps): Promise<void> {
  for await (const { source, accountId, delivery, dueMilliseconds } of unsent(deps)) {
    if (delivery) await queueAttempt(deps, attemptOf(delivery, dueMilliseconds));
    else await queueMessage(deps, { source, accountId }, 0);
  }
}
