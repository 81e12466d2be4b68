import type { scanInBackground } from '@errand/platform';
import { earlierUnsent, lostUnsent } from '../deliveries-store.ts';
import type { OutboxDeps } from '../deps.ts';
import { queueAttempt, queueMessage } from '../queue.ts';
import { attemptOf } from './write-delivery.ts';

/** Queues all that is not delivered yet, for a queue that lost its messages. The embedded queue does that when its process ends. */
export async function resendWebhooks(deps: OutboxDeps): Promise<void> {
  for await (const { source, accountId, delivery, dueMilliseconds } of lostUnsent(deps)) {
    if (delivery) await queueAttempt(deps, attemptOf(delivery, dueMilliseconds));
    else await queueMessage(deps, { source, accountId }, 0);
  }
}

/** The same for what earlier releases have written, which takes as long as reading the whole table in small pages. */
export async function resendEarlierWebhooks(
  deps: OutboxDeps,
  pace: Parameters<typeof scanInBackground>[2],
): Promise<void> {
  for await (const source of earlierUnsent(deps, pace)) await queueMessage(deps, { source }, 0);
}
