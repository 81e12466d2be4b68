import { limits, type NamedWrite } from '@errand/platform';
import type { OutboxDeps } from './deps.ts';
import { scheduleEvent } from './event-types.ts';
import { newMessage } from './message.ts';
import { queueMessage } from './queue.ts';
import { queryEndpoints } from './store.ts';
import { messageWrite } from './writes.ts';

/** What a run of a schedule gave. */
interface ScheduleResult {
  scheduleId: string;
  accountId: string;
  keyId: string;
  agentId: string;
  /** The instant that the run was started for. */
  at: string;
  status: string;
  /** With which probability the schedule's question is answered by yes, if it has one. */
  probability?: number;
}

/**
 * The write that puts the result into the outbox, for the transaction that notes it; empty if no endpoint wants the event.
 * The queue's message is sent before the transaction, as for the end of a run.
 */
export async function tellScheduleResult(
  deps: OutboxDeps,
  { accountId, keyId, ...data }: ScheduleResult,
): Promise<NamedWrite[]> {
  const endpoints = await queryEndpoints(deps, { accountId, keyId });
  if (!endpoints.some(({ disabled, events }) => !disabled && events.includes(scheduleEvent))) return [];
  const source = `schedule#${data.scheduleId}#${data.agentId}`;
  await queueMessage(deps, { source, accountId }, limits.webhookFirstLookSeconds);
  return [messageWrite(deps, source, newMessage(deps, { type: scheduleEvent, accountId, keyId, data }))];
}
