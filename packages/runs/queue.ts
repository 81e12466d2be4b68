import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Charge, Payer } from '@errand/money';
import type { RunQueueDeps } from './deps.ts';
import type { RunRecord } from './run.ts';

/** The two kinds of message in the queue: work on a run, and a charge that could not be written at once. */
export type QueueMessage = { kind: 'run'; agentId: string } | { kind: 'charge'; charge: Charge };

/** Sends a message. Messages of different accounts take turns, so that nobody waits for all of another's. */
async function sendMessage(
  deps: RunQueueDeps,
  { accountId }: Payer,
  message: QueueMessage,
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> {
  await deps.sqs.send(
    new SendMessageCommand({
      QueueUrl: deps.queueUrl,
      MessageGroupId: accountId,
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
}

/** The part of a run that its message is made from. */
export type QueuedRun = Pick<RunRecord, 'agentId' | 'payer'>;

export const sendRun = (
  deps: RunQueueDeps,
  { agentId, payer }: QueuedRun,
  options: { delaySeconds?: number } = {},
): Promise<void> => sendMessage(deps, payer, { kind: 'run', agentId }, options);

/** Leaves a charge that could not be written to the worker, which writes it once. */
export const deferCharge = (deps: RunQueueDeps, charge: Charge): Promise<void> =>
  sendMessage(deps, charge.payer, { kind: 'charge', charge });
