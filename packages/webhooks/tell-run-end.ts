import { limits, type NamedWrite } from '@errand/platform';
import type { OutboxDeps } from './deps.ts';
import type { RunEvent } from './event-types.ts';
import { newMessage } from './message.ts';
import { queueMessage } from './queue.ts';
import { queryEndpoints } from './store.ts';
import { messageWrite } from './writes.ts';

/** The end of a run, of which its key's endpoints are told. */
interface RunEnd {
  agentId: string;
  accountId: string;
  keyId: string;
  event: RunEvent;
  status: string;
  /** What the run asks of its caller. */
  asked?: object;
  /** An address of the run's own. */
  url?: string;
}

/**
 * The write that puts a run's end into the outbox, for the transaction that ends the run; empty if no endpoint wants the
 * event. The queue's message is sent before the transaction: if the process dies in between, an end that was written is
 * still found and sent, and an end that was not written is never sent.
 */
export async function tellRunEnd(deps: OutboxDeps, end: RunEnd): Promise<NamedWrite[]> {
  const { agentId, accountId, keyId, event, status, asked = {}, url } = end;
  const endpoints = await queryEndpoints(deps, { accountId, keyId });
  const isAsked = endpoints.some(({ disabled, events }) => !disabled && events.includes(event));
  if (!isAsked && (url === undefined || endpoints.length === 0)) return [];
  await queueMessage(deps, { source: agentId, accountId }, limits.webhookFirstLookSeconds);
  // The message has more than one copy, and a model can write much: the receiver then reads it with its key.
  const isShort = Buffer.byteLength(JSON.stringify(asked)) <= limits.eventInlineBytes;
  const told = { type: event, accountId, keyId, data: { agentId, status, ...(isShort && asked) } };
  return [messageWrite(deps, agentId, newMessage(deps, { ...told, url }))];
}
