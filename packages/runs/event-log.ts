import { type AgentEvent, isTerminalType } from '@errand/agent';
import {
  type NamedWrite,
  newUuid,
  type Packed,
  type Payload,
  packText,
  queryPage,
  queryPages,
  unpackPayload,
  unpackText,
} from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { eventIdOf, eventsRange, itemKeys, payloadPrefix, streamsSortKey } from './item-keys.ts';
import { openStreamsOf, type StreamsItem } from './stream/place-store.ts';

export interface StoredEvent {
  id: number;
  name: AgentEvent['type'];
  /** The event as JSON, as it is sent to readers. */
  data: string;
  at: string;
}

/**
 * The events of one commit, under the id of the last of them. Its text has a line of JSON for each event and, if the commit
 * had a state, one that says what became of the checkpoint. It has no `id`, so that a reader of the release before sees a gap, and waits.
 */
type CommitItem = Packed & { sk: string; at: string; names: AgentEvent['type'][] };

/** An event as earlier releases stored it. */
type EventItem = Payload & { sk: string; at: string; id: number; name: AgentEvent['type'] };

export type LogItem = CommitItem | EventItem;

export const endsStream = (event: Pick<StoredEvent, 'name'>): boolean => isTerminalType(event.name);

/** The types of an item's events, in their order. */
export const namesOf = (item: LogItem): AgentEvent['type'][] => ('names' in item ? item.names : [item.name]);

/** An item's events without their texts. */
export const headsOf = (item: LogItem): Omit<StoredEvent, 'data'>[] =>
  namesOf(item).map((name, i) => ({ id: firstIdOf(item) + i, name, at: item.at }));

const lastIdOf = ({ sk }: LogItem): number => eventIdOf(sk);
const firstIdOf = (item: LogItem): number => lastIdOf(item) + 1 - namesOf(item).length;

/**
 * Makes the write that appends a commit's events after `lastEventId`, with a line about its checkpoint. Puts a large text into the
 * bucket before, under a name that no other attempt uses. `bytes` is what a reader of the item loads.
 */
export async function appendWrite(
  deps: RunStoreDeps,
  run: { agentId: string; expiresAtSeconds: number },
  append: { events: readonly AgentEvent[]; lastEventId: number; at: string; checkpointLine?: string },
): Promise<{ write: NamedWrite; bytes: number }> {
  const { events, at, checkpointLine } = append;
  const { agentId, expiresAtSeconds } = run;
  const id = append.lastEventId + events.length;
  const lines = events.map((event) => JSON.stringify(event));
  if (checkpointLine !== undefined) lines.push(checkpointLine);
  const name = `${payloadPrefix(agentId)}${id}-${newUuid()}`;
  const { payload, bytes } = await packText(deps.files, name, lines.join('\n'));
  const names = events.map(({ type }) => type);
  const write: NamedWrite = {
    condition: 'event-new',
    Put: {
      TableName: deps.tables.runs,
      Item: { ...itemKeys.event(agentId, id), names, at, ...payload, expiresAtSeconds },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  return { write, bytes };
}

/** An item as it was read: its events, and what its commit says of the checkpoint. */
export interface Unpacked {
  events: StoredEvent[];
  checkpointLine?: string | undefined;
  bytes: number;
}

/** Reads a large text from the bucket. */
export async function unpackItem(deps: Pick<RunStoreDeps, 'files'>, item: LogItem): Promise<Unpacked> {
  const { text, bytes } =
    'names' in item ? await unpackText(deps.files, item) : await unpackEvent(deps, item);
  const lines = 'names' in item ? text.split('\n') : [text];
  const events = headsOf(item).map((head, i) => ({ ...head, data: lines[i]! }));
  return { events, checkpointLine: lines[events.length], bytes };
}

async function unpackEvent({ files }: Pick<RunStoreDeps, 'files'>, item: EventItem) {
  const text = await unpackPayload(files, item);
  return { text, bytes: text.length };
}

/** How many events' texts are read from the bucket at once: a document's text may have megabytes. */
const textsAtOnce = 8;

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
 * items, so events after a gap are left for the next read. A read that finds fewer items than `limit` brings the
 * open streams along.
 */
export async function readEvents(
  deps: RunStoreDeps,
  agentId: string,
  after: number,
  limit: number,
): Promise<EventRead> {
  const { pk, first } = eventsRange(agentId, after);
  const { items, last } = await queryPage<LogItem & StreamsItem>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': streamsSortKey },
    Limit: limit,
  });
  const streams: StreamsItem | undefined = items.at(-1)?.sk === streamsSortKey ? items.pop() : undefined;
  const joined = withoutGap(items, after);
  const until = after + limit;
  return {
    events: { [Symbol.asyncIterator]: () => unpackEvents(deps, joined, { after, until }) },
    openStreams: openStreamsOf(streams),
    more: last !== undefined || joined.some((item) => lastIdOf(item) > until),
  };
}

/** The items that follow an id, or have it, up to the first gap between their events. */
export function withoutGap<Item extends LogItem>(items: readonly Item[], after: number): Item[] {
  let last = after;
  const gap = items.findIndex((item) => {
    const isGap = firstIdOf(item) > last + 1;
    last = lastIdOf(item);
    return isGap;
  });
  return gap < 0 ? [...items] : items.slice(0, gap);
}

async function* unpackEvents(
  deps: RunStoreDeps,
  items: readonly LogItem[],
  { after, until }: { after: number; until: number },
): AsyncGenerator<StoredEvent> {
  for await (const { events } of unpackItems(deps, items))
    for (const event of events) if (event.id > after && event.id <= until) yield event;
}

/** Reads items in their order, some at once. */
export async function* unpackItems(deps: RunStoreDeps, items: readonly LogItem[]): AsyncGenerator<Unpacked> {
  for (const batch of batchesOf(items)) yield* await Promise.all(batch.map((item) => unpackItem(deps, item)));
}

/** Items with at most `textsAtOnce` events. One may have more events than that by itself. */
function* batchesOf(items: readonly LogItem[]): Generator<LogItem[]> {
  let batch: LogItem[] = [];
  let events = 0;
  for (const item of items) {
    const { length } = namesOf(item);
    if (batch.length > 0 && events + length > textsAtOnce) {
      yield batch;
      batch = [];
      events = 0;
    }
    batch.push(item);
    events += length;
  }
  if (batch.length > 0) yield batch;
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

/** The items that have a run's events after an id, with the times of their commits, a page at a time. Large texts are still in the bucket. */
export function eventItems(deps: RunStoreDeps, agentId: string, after = 0): AsyncGenerator<LogItem[]> {
  const { pk, first, last } = eventsRange(agentId, after);
  return queryPages<LogItem>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  });
}

/** An event as it lies in the table: the last of its commit with the bucket's key of the commit's text, if that is large. */
export type EventHead = Pick<StoredEvent, 'id' | 'name'> & { stored?: string | undefined };

/** All events of a run without their texts, a page at a time. */
export async function* eventHeads(deps: RunStoreDeps, agentId: string): AsyncGenerator<EventHead[]> {
  const { pk, first, last } = eventsRange(agentId);
  const pages = queryPages<LogItem & { stored?: string }>(deps, {
    TableName: deps.tables.runs,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ProjectionExpression: 'sk, #name, #names, #stored',
    ExpressionAttributeNames: { '#name': 'name', '#names': 'names', '#stored': 'stored' },
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  });
  for await (const items of pages)
    yield items.flatMap((item) =>
      headsOf(item).map(({ id, name }) => ({
        id,
        name,
        stored: id === lastIdOf(item) ? item.stored : undefined,
      })),
    );
}
