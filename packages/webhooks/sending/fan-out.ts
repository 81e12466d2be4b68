import { readKeyEnd } from '@errand/accounts';
import { inParallel } from '@errand/platform';
import type { SenderDeps } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';
import type { WebhookEvent } from '../event-types.ts';
import { deleteMessage, type Message, readMessage } from '../message.ts';
import { queryEndpoints } from '../store.ts';
import { writeDelivery } from './write-delivery.ts';

const deliveriesAtOnce = 8;

/** Makes the deliveries of a message in the outbox. False if there is none: not yet, or not any more. */
export async function fanOut(deps: SenderDeps, source: string): Promise<boolean> {
  const message = await readMessage(deps, source);
  if (!message) return false;
  const endpoints = await withWorkingKeys(deps, await queryEndpoints(deps, message));
  const [oldest] = endpoints;
  const asked = endpoints
    .filter((endpoint) => isAsked(endpoint, message))
    .map((endpoint) => () => writeDelivery(deps, endpoint, message));
  const own = oldest &&
    message.url !== undefined && [() => writeDelivery(deps, oldest, message, message.url)];
  await inParallel([...asked, ...(own || [])], deliveriesAtOnce, async (write) => {
    await write();
  });
  await deleteMessage(deps, source);
  return true;
}

const isAsked = ({ disabled, events }: Endpoint, { type }: Message): boolean =>
  !disabled && events.includes(type as WebhookEvent);

/** The endpoints of a key that was revoked, frozen or has expired hear nothing any more. */
async function withWorkingKeys(deps: SenderDeps, endpoints: readonly Endpoint[]): Promise<Endpoint[]> {
  const keys = new Map(endpoints.map(({ keyId, accountId }) => [keyId, { keyId, accountId }]));
  const ended = new Set<string>();
  for (const key of keys.values()) if (await readKeyEnd(deps, key)) ended.add(key.keyId);
  return endpoints.filter(({ keyId }) => !ended.has(keyId));
}
