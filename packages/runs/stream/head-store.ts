import { batchGet } from '@errand/platform';
import type { RunStoreDeps } from '../deps.ts';
import { itemKeys } from '../item-keys.ts';
import { queuedFields } from '../queue.ts';
import type { RunRecord } from '../run.ts';
import { unexpired } from '../store.ts';
import { openStreamsOf, type StreamsItem } from './place-store.ts';

/** What a run's readers are told of it, at every poll. */
const headAttributes = [
  // A reader sends the message of a run that nobody works on again.
  ...queuedFields,
  'status',
  'lastEventId',
  'createdAt',
  'expiresAt',
  'sentAtMilliseconds',
  'leaseToken',
  'leaseMilliseconds',
  'leaseUntilMilliseconds',
  'waitsUntilMilliseconds',
  'waitsSinceMilliseconds',
  'patienceEndsMilliseconds',
  'waitsForRuns',
] as const satisfies readonly (keyof RunRecord)[];

export type RunHead = Pick<RunRecord, (typeof headAttributes)[number]> & {
  /** Undefined if no stream was counted yet. */
  openStreams?: ReadonlySet<string>;
};

/** One request has the keys of this many runs. */
export const headsPerRead = 50;

type HeadItem = RunHead & StreamsItem & { pk: string };

/**
 * The heads of these runs by their ids, in one request. Costs half of a strongly consistent read, so a head may be a
 * moment old: a run that is missing here may have been created just now, and a stream may have just been counted.
 */
export async function readHeads(
  deps: RunStoreDeps,
  agentIds: readonly string[],
): Promise<Map<string, RunHead>> {
  const items = await batchGet<HeadItem>(
    deps,
    deps.tables.runs,
    agentIds.flatMap((agentId) => [itemKeys.run(agentId), itemKeys.streams(agentId)]),
    { consistent: false, attributes: ['pk', 'openStreams', ...headAttributes] },
  );
  const streams = new Map<string, StreamsItem>();
  for (const item of items) if (item.agentId === undefined) streams.set(item.pk, item);
  const heads = new Map<string, RunHead>();
  for (const item of items) {
    const head = item.agentId !== undefined && unexpired(deps, item);
    const openStreams = openStreamsOf(streams.get(item.pk));
    if (head) heads.set(head.agentId, openStreams ? { ...head, openStreams } : head);
  }
  return heads;
}
