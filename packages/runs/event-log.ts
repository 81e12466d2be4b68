import { type AgentEvent, isTerminalType } from '@errand/agent';
import {
  type NamedWrite,
  type Payload,
  packPayload,
  queryPage,
  queryPages,
  unpackPayload,
} from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { eventsRange, itemKeys, payloadPrefix, streamsSortKey } from './item-keys.ts';
import { openStreamsOf, type StreamsItem } from './stream/place-store.ts';

export interface StoredEvent {
  id: number;
  name: AgentEvent['type'];
  /** The event as JSON, as it is sent to readers. */
  data: string;
  at: string;
}

export type EventItem = Payload & { id: number; name: AgentEvent['type']; at: string };

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

/** Events of a run, and its open streams if they were read along. */
export interface EventRead {
  /** Each iteration reads large payloads from the bucket, as its events are taken. */
  events: AsyncIterable<StoredEvent>;
  openStreams: ReadonlySet<string> | undefined;
  /** Whether the read ended before the run's last event. */
  more: boolean;
}

/**
 * Reads up to `limit` events after an id, in order and without a gap. A query may see part of a transaction's
 * items, so events after a gap are left for the next read. A read that finds fewer events than `limit` brings the
 * open streams along.
 */
export async function readEvents(
  deps: RunStoreDeps,
  agentId: string,
  after: number,
  limit: number,
): Promise<EventRead> {
  const { pk, sk } = itemKeys.event(agentId, after);
  const { items, last } = await queryPage<EventItem & StreamsItem>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':after': `${sk}~`, ':last': streamsSortKey },
    Limit: limit,
  });
  const streams: StreamsItem | undefined = items.at(-1)?.sk === streamsSortKey ? items.pop() : undefined;
  const gap = items.findIndex((item, i) => item.id !== after + 1 + i);
  return {
    events: { [Symbol.asyncIterator]: () => unpackEvents(deps, gap < 0 ? items : items.slice(0, gap)) },
    openStreams: openStreamsOf(streams),
    more: last !== undefined,
  };
}

async function* unpackEvents(deps: RunStoreDeps, items: readonly EventItem[]): AsyncGenerator<StoredEvent> {
  for (let at = 0; at < items.length; at += payloadsAtOnce) {
    yield* await Promise.all(
      items.slice(at, at + payloadsAtOnce).map(async (item) => ({
        id: item.id,
        name: item.name,
        at: item.at,
        data: await unpackPayload(deps.files, item),
      })),
    );
  }
}

const pageOfEvents = 50;

/** The events of a run, at least up to an id. */
export async function* readAllEvents(
  deps: RunStoreDeps,
  { agentId, lastEventId }: { agentId: string; lastEventId: number },
): AsyncGenerator<StoredEvent> {
  for (let last = 0, before = -1; last < lastEventId && last > before; ) {
    before = last;
    const { events } = await readEvents(deps, agentId, last, pageOfEvents);
    for await (const event of events) {
      yield event;
      last = event.id;
    }
  }
}

/** All events of a run with the times of their commits, a page at a time. Large payloads are still in the bucket. */
export function eventItems(deps: RunStoreDeps, agentId: string): AsyncGenerator<EventItem[]> {
  const { pk, first, last } = eventsRange(agentId);
  return queryPages<EventItem>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  });
}

/** An event as it lies in the table: with the bucket's key of its payload if that is large. */
export type EventHead = Pick<EventItem, 'id' | 'name'> & { stored?: string };

/** All events of a run without their payloads, a page at a time. */
export function eventHeads(deps: RunStoreDeps, agentId: string): AsyncGenerator<EventHead[]> {
  const { pk, first, last } = eventsRange(agentId);
  return queryPages<EventHead>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ProjectionExpression: 'id, #name, #stored',
    ExpressionAttributeNames: { '#name': 'name', '#stored': 'stored' },
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  });
}
