import { type AgentEvent, isTerminalType } from '@errand/agent';
import { type NamedWrite, queryPage } from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { afterEvents, itemKeys, payloadPrefix } from './item-keys.ts';
import { type Payload, packPayload, unpackPayload } from './payload.ts';

export interface StoredEvent {
  id: number;
  name: AgentEvent['type'];
  /** The event as JSON, as it is sent to readers. */
  data: string;
  at: string;
}

type EventItem = Payload & { id: number; name: AgentEvent['type']; at: string };

export const endsStream = (event: Pick<StoredEvent, 'name'>): boolean => isTerminalType(event.name);

/**
 * Makes the writes that append events after `lastEventId`. Puts large payloads into the bucket before, under names that
 * no other attempt uses.
 */
export async function appendWrites(
  deps: RunStoreDeps,
  run: { agentId: string; expiresAtSeconds: number },
  append: { events: readonly AgentEvent[]; lastEventId: number; at: string; attempt: string },
): Promise<NamedWrite[]> {
  const { events, lastEventId, at, attempt } = append;
  return Promise.all(
    events.map(async (event, i): Promise<NamedWrite> => {
      const id = lastEventId + 1 + i;
      const key = `${payloadPrefix(run.agentId)}${id}-${attempt}.json`;
      const payload = await packPayload(deps.files, key, JSON.stringify(event));
      return {
        condition: 'event-new',
        Put: {
          TableName: deps.tables.runs,
          Item: {
            ...itemKeys.event(run.agentId, id),
            id,
            name: event.type,
            at,
            ...payload,
            expiresAtSeconds: run.expiresAtSeconds,
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      };
    }),
  );
}

/** How many events' payloads are read from the bucket at once: a document's text may have megabytes. */
const payloadsAtOnce = 8;

/**
 * Yields up to `limit` events after an id, in order and without a gap. A query may see part of a transaction's items,
 * so events after a gap are left for the next read. Large payloads are read as the events are taken.
 */
export async function* readEvents(
  deps: RunStoreDeps,
  agentId: string,
  after: number,
  limit: number,
): AsyncGenerator<StoredEvent> {
  const { pk, sk } = itemKeys.event(agentId, after);
  const { items } = await queryPage<EventItem>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':after': `${sk}~`, ':last': afterEvents },
    Limit: limit,
  });
  const gap = items.findIndex((item, i) => item.id !== after + 1 + i);
  const whole = gap < 0 ? items : items.slice(0, gap);
  for (let at = 0; at < whole.length; at += payloadsAtOnce) {
    yield* await Promise.all(
      whole.slice(at, at + payloadsAtOnce).map(async (item) => ({
        id: item.id,
        name: item.name,
        at: item.at,
        data: await unpackPayload(deps.files, item),
      })),
    );
  }
}
