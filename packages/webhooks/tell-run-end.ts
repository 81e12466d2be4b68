import { limits, type NamedWrite } from '@errand/platform';
import type { OutboxDeps } from './deps.ts';
import type { RunEvent } from './event-types.ts';
import { newMessage } from './message.ts';
import { queueMessage } from './queue.ts';
import { queryEndpoints } from './store.ts';
import { messageWrite } from './writes.ts';

/** The end of a run, as its key's endpoints are told of it. */
interface RunEnd {
  agentId: string;
  accountId: string;
  keyId: string;
  event: RunEvent;
  status: string;
  /** An address of the run's own. */
  url?: string;
}

/**
 * The write that tells of a run's end, for the transaction that ends it; none where nobody asks. The message of the queue
 * that points to it is sent before: whoever dies then, the end is told of once it is written, and of no other is told.
 */
export async function tellRunEnd(deps: OutboxDeps, end: RunEnd): Promise<NamedWrite[]> {
  const { agentId, accountId, keyId, event, status, url } = end;
  const endpoints = await queryEndpoints(deps, { accountId, keyId });
  const isAsked = endpoints.some(({ disabled, events }) => !disabled && events.includes(event));
  if (!isAsked && (url === undefined || endpoints.length === 0)) return [];
  await queueMessage(deps, { source: agentId, accountId }, limits.webhookFirstLookSeconds);
  const told = { type: event, accountId, keyId, data: { agentId, status } };
  return [messageWrite(deps, agentId, newMessage(deps, { ...told, url }))];
}
