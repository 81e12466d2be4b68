import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Notice } from '@errand/money';
import { limits } from '@errand/platform';
import type { OutboxDeps } from './deps.ts';
import type { EndpointPlace } from './store.ts';

/** An attempt to deliver. The attempt is dropped if the delivery has had more attempts than `attempt` meanwhile. */
export interface QueuedAttempt {
  kind: 'attempt';
  endpoint: EndpointPlace;
  deliveryId: string;
  /** How many attempts the delivery has had. */
  attempt: number;
  notBeforeMilliseconds: number;
}

/** A pointer to a message that may be in the outbox. `looks` counts the looks that found no message. */
export interface QueuedMessage {
  kind: 'message';
  source: string;
  /** Absent from messages of earlier releases. */
  accountId?: string;
  looks: number;
}

/** A notice that an account gets if the notice is still true when the queue hands it over. */
interface QueuedNotice {
  kind: 'notice';
  notice: Notice;
}

export type Queued = QueuedAttempt | QueuedMessage | QueuedNotice;

type QueueDeps = Pick<OutboxDeps, 'sqs' | 'webhookQueueUrl'>;

/** Messages of different accounts take turns, so that nobody waits for all of another's receivers. */
async function send(deps: QueueDeps, group: string, queued: Queued, delaySeconds: number): Promise<void> {
  await deps.sqs.send(
    new SendMessageCommand({
      QueueUrl: deps.webhookQueueUrl,
      MessageGroupId: group,
      MessageBody: JSON.stringify(queued),
      DelaySeconds: Math.min(delaySeconds, limits.webhookHopSeconds),
    }),
  );
}

export const queueNotice = (deps: QueueDeps, notice: Notice): Promise<void> =>
  send(deps, notice.accountId, { kind: 'notice', notice }, 0);

export const queueMessage = (
  deps: QueueDeps,
  { source, accountId, looks = 0 }: Omit<QueuedMessage, 'kind' | 'looks'> & { looks?: number },
  delaySeconds: number,
): Promise<void> =>
  send(deps, accountId ?? source, { kind: 'message', source, accountId, looks }, delaySeconds);

/** Queues an attempt. An attempt that is due later than a message can be delayed comes back early, and is queued again. */
export const queueAttempt = (
  deps: QueueDeps & Pick<OutboxDeps, 'clock'>,
  attempt: Omit<QueuedAttempt, 'kind'>,
): Promise<void> => {
  const seconds = Math.ceil((attempt.notBeforeMilliseconds - deps.clock()) / 1000);
  return send(deps, attempt.endpoint.accountId, { kind: 'attempt', ...attempt }, Math.max(0, seconds));
};
