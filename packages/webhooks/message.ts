import { deleteItem, getItem, randomText, toBase62, toIso } from '@errand/platform';
import type { WebhookStoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';

/** An event as the outbox has it until each of its deliveries is written. */
export interface Message {
  /** The `webhook-id`. Ids sort by time. */
  id: string;
  type: string;
  /** The body that is signed and sent, as JSON. */
  body: string;
  accountId: string;
  /** The key whose endpoints get the event. Absent: all endpoints of the account do. */
  keyId?: string;
  /** A further address, which the run has named. */
  url?: string;
}

/** What a message says: ids, a status and what a run asks. Its receiver reads the rest with its key. */
export interface Told extends Pick<Message, 'type' | 'accountId' | 'keyId' | 'url'> {
  data: Record<string, unknown>;
}

/** What the index of one machine finds a message of the outbox by. Earlier releases have not written it. */
export const unsentStatus = 'unsent';

const timeCharacters = 8;

export function newMessage({ clock }: Pick<WebhookStoreDeps, 'clock'>, { data, ...told }: Told): Message {
  const now = clock();
  return {
    ...told,
    id: `msg_${toBase62(now, timeCharacters)}${randomText(12)}`,
    body: JSON.stringify({ type: told.type, timestamp: toIso(now), data }),
  };
}

export const readMessage = (deps: WebhookStoreDeps, source: string): Promise<Message | undefined> =>
  getItem<Message>(deps, deps.tables.runs, itemKeys.message(source));

export async function deleteMessage(deps: WebhookStoreDeps, source: string): Promise<void> {
  await deleteItem(deps, { TableName: deps.tables.runs, Key: itemKeys.message(source) });
}
