import {
  type AgentState,
  changesBetween,
  readCheckpoint,
  readStored,
  type StateChanges,
  type StoredState,
  storedState,
  withStateChanges,
} from '@errand/agent';
import {
  getItem,
  limits,
  type NamedWrite,
  newUuid,
  type Packed,
  type Payload,
  packText,
  unpackPayload,
  unpackText,
} from '@errand/platform';
import type { RunStoreDeps } from './deps.ts';
import { eventItems, type LogItem, type Unpacked, unpackItems, withoutGap } from './event-log.ts';
import { eventIdOf, itemKeys, payloadPrefix } from './item-keys.ts';
import { expirySeconds, type RunRecord } from './run.ts';

/**
 * A checkpoint that was written whole, and after which event. What has changed since lies with the events of each later commit. It has no `data`, and
 * no JSON in the bucket: a worker of the release before, which would take it for the last state, fails before it calls anybody.
 */
type WholeItem = Packed & { upTo: number };
/** As earlier releases stored it at every commit. So is the first one of a run that goes on from another. */
type EarlierItem = Payload & { upTo?: never };

/** What the store has of a run's state, as the worker that holds the run knows it. */
export interface Checkpoint {
  /** Absent if nothing can be told of it by changes: the next commit writes it whole. */
  stored?: StoredState;
  wholeBytes: number;
  /** Of the commits since it was written whole. */
  changesBytes: number;
}

export const noCheckpoint = (): Checkpoint => ({ wholeBytes: 0, changesBytes: 0 });

/** The line of a commit whose state was written whole beside it. */
const wholeLine = '"whole"';

/** How a commit writes its state: whole, or as a line beside its events. */
interface StateWrite {
  line: string;
  whole?: NamedWrite;
  /** To be called once the commit is made, with the size of its events and the line. */
  made(bytes: number): void;
}

/** A reader loads about twice the whole checkpoint at most. And as each whole one is about twice the one before, all of them together are about twice the last. */
const isDue = ({ wholeBytes, changesBytes }: Checkpoint): boolean =>
  changesBytes > Math.max(wholeBytes, limits.checkpointChangesBytes);

export async function stateWrite(
  deps: RunStoreDeps,
  run: RunRecord,
  commit: { state: AgentState; events: readonly unknown[] },
  before: Checkpoint,
): Promise<StateWrite> {
  const stored = storedState(commit.state);
  const { length } = commit.events;
  if (length > 0 && before.stored && !isDue(before)) {
    const line = JSON.stringify(changesBetween(before.stored, stored));
    const made = (bytes: number) =>
      void Object.assign(before, { stored, changesBytes: before.changesBytes + bytes });
    return { line, made };
  }
  // A new name every time, because the last checkpoint points to its object until this one is written.
  const name = `${payloadPrefix(run.agentId)}state-${newUuid()}`;
  const { payload, bytes } = await packText(deps.files, name, JSON.stringify(stored));
  const upTo = run.lastEventId + length;
  const Item = {
    ...itemKeys.state(run.agentId),
    upTo,
    ...payload,
    expiresAtSeconds: expirySeconds(run),
  };
  return {
    line: wholeLine,
    whole: { Put: { TableName: deps.tables.runs, Item } },
    made: () => void Object.assign(before, { stored, wholeBytes: bytes, changesBytes: 0 }),
  };
}

/** The last committed state, and what the store has of it; undefined before the first. Throws if a part of it is missing. */
export async function readState(
  deps: RunStoreDeps,
  run: Pick<RunRecord, 'agentId' | 'lastEventId'>,
): Promise<{ state: AgentState; checkpoint: Checkpoint } | undefined> {
  const item = await getItem<WholeItem | EarlierItem>(deps, deps.tables.runs, itemKeys.state(run.agentId));
  if (!item) return undefined;
  if (item.upTo === undefined) {
    const state = readCheckpoint(await unpackPayload(deps.files, item));
    return { state, checkpoint: noCheckpoint() };
  }
  const [whole, since] = await Promise.all([
    unpackText(deps.files, item),
    item.upTo < run.lastEventId ? readSince(deps, run, item.upTo) : [],
  ]);
  let stored = JSON.parse(whole.text) as StoredState;
  let changesBytes = 0;
  for (const { checkpointLine, bytes } of since) {
    changesBytes += bytes;
    if (checkpointLine === wholeLine) throw new Error('a checkpoint that is older than its run');
    if (checkpointLine !== undefined)
      stored = withStateChanges(stored, JSON.parse(checkpointLine) as StateChanges);
  }
  return { state: readStored(stored), checkpoint: { stored, wholeBytes: whole.bytes, changesBytes } };
}

/** The commits of a run after an event. */
async function readSince(
  deps: RunStoreDeps,
  { agentId, lastEventId }: Pick<RunRecord, 'agentId' | 'lastEventId'>,
  after: number,
): Promise<Unpacked[]> {
  const items: LogItem[] = [];
  for await (const page of eventItems(deps, agentId, after)) items.push(...page);
  const wanted = withoutGap(items, after).filter(({ sk }) => eventIdOf(sk) <= lastEventId);
  if (wanted.every(({ sk }) => eventIdOf(sk) < lastEventId))
    throw new Error('a run without some of its events');
  const unpacked: Unpacked[] = [];
  for await (const each of unpackItems(deps, wanted)) unpacked.push(each);
  return unpacked;
}
