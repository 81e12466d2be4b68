import type { Discrepancy } from '@errand/platform';
import { unsent } from './deliveries-store.ts';
import type { WebhookStoreDeps } from './deps.ts';

/** Far longer than a sound queue takes: a message is delayed for a quarter of an hour at most, and looked for again after five minutes. */
const lateMilliseconds = 60 * 60 * 1000;

/** Yields what should have been sent an hour ago and was not. Only reads. */
export async function* checkWebhooks(deps: WebhookStoreDeps): AsyncGenerator<Discrepancy> {
  const now = deps.clock();
  for await (const { source, delivery, dueMilliseconds } of unsent(deps)) {
    if (now - dueMilliseconds < lateMilliseconds) continue;
    const hours = Math.floor((now - dueMilliseconds) / lateMilliseconds);
    yield delivery
      ? {
          of: 'webhook',
          id: delivery.endpointId,
          problem: `The delivery ${delivery.id} is late by ${hours} h.`,
        }
      : { of: 'run', id: source, problem: `Its end is not told to webhooks for ${hours} h.` };
  }
}
