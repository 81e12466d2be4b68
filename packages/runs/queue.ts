import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Charge, Payer } from '@errand/money';
import type { RunQueueDeps } from './deps.ts';
import { type FieldsOf, pickFields, type RunRecord } from './run.ts';

/** The fields of a run that its message has. */
const messageFields = ['agentId'] as const satisfies readonly (keyof RunRecord)[];
/** The fields of a run that its message is made from, wherever the message is sent. */
export const queuedFields = [...messageFields, 'payer'] as const;

/** The part of a run that its message is made from. A run that lacks a field, if only an optional one, is a type error. */
export type QueuedRun = FieldsOf<RunRecord, (typeof queuedFields)[number]>;

/** The two kinds of message in the queue: work on a run, and a charge that could not be written at once. A run that waits for sub-runs is woken by a message beside its own. */
export type QueueMessage =
  | ({ kind: 'run'; isWake?: true } & FieldsOf<RunRecord, (typeof messageFields)[number]>)
  | { kind: 'charge'; charge: Charge };

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

export const sendRun = (
  deps: RunQueueDeps,
  run: QueuedRun,
  options: { delaySeconds?: number } = {},
): Promise<void> => sendMessage(deps, run.payer, { kind: 'run', ...pickFields(run, messageFields) }, options);

/** Tells a run that one of its sub-runs is over. */
export const wakeRun = (deps: RunQueueDeps, run: QueuedRun): Promise<void> =>
  sendMessage(deps, run.payer, { kind: 'run', isWake: true, ...pickFields(run, messageFields) });

/** Leaves a charge that could not be written to the worker, which writes it once. */
export const deferCharge = (deps: RunQueueDeps, charge: Charge): Promise<void> =>
  sendMessage(deps, charge.payer, { kind: 'charge', charge });
