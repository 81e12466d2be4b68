import type { SenderDeps } from '../deps.ts';
import { handleQueued } from './handle-queued.ts';

interface SqsEvent {
  Records: readonly { messageId: string; body: string }[];
}

/** The consumer of the queue. It reports each message that must stay in the queue as failed. */
export const webhookHandler =
  (deps: SenderDeps) =>
  async ({ Records }: SqsEvent): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> => {
    const handled = await Promise.all(Records.map(({ body }) => handleQueued(deps, body)));
    const failed = Records.filter((_, i) => handled[i] === 'again');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
