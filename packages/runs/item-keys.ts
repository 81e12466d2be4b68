import { filePrefixes, runsPartitions, sha256Hex } from '@errand/platform';
import type { RunRecord } from './run.ts';

const eventDigits = 10;
const eventPrefix = 'EVENT#';

/** The sort key of the run's own item. */
export const runSortKey = 'RUN';

/** What the sort keys of a run's sub-runs begin with. */
export const subRunPrefix = 'CHILD#';

export const runPartition = (agentId: string) => `${runsPartitions.run}${agentId}`;

/** The partition of the listing of an API key's runs. */
export const listingPartition = (keyId: string): string => `${runsPartitions.listing}${keyId}`;

/** The partition of the follow-ups of a chain. Its first run is found by its id, which is that of the chain. */
export const threadPartition = (keyId: string, thread: string): string =>
  `${runsPartitions.thread}${keyId}#${thread}`;

/**
 * The sort key of a run's open streams. The key sorts right after every event, so that a read of new events brings
 * the item along.
 */
export const streamsSortKey = 'EVENT~STREAMS';

/** Keys of the items in the table `Runs`. Event ids are padded, so that sorting them as text sorts them by number. */
export const itemKeys = {
  run: (agentId: string) => ({ pk: runPartition(agentId), sk: runSortKey }),
  input: (agentId: string) => ({ pk: runPartition(agentId), sk: 'INPUT' }),
  state: (agentId: string) => ({ pk: runPartition(agentId), sk: 'STATE' }),
  authorizations: (agentId: string) => ({ pk: runPartition(agentId), sk: 'AUTHORIZATIONS' }),
  event: (agentId: string, id: number) => ({
    pk: runPartition(agentId),
    sk: `${eventPrefix}${String(id).padStart(eventDigits, '0')}`,
  }),
  /** The sub-runs of a run are listed beside its own items. */
  subRun: (parentRunId: string, createdAt: string, agentId: string) => ({
    pk: runPartition(parentRunId),
    sk: `${subRunPrefix}${createdAt}#${agentId}`,
  }),
  streams: (agentId: string) => ({ pk: runPartition(agentId), sk: streamsSortKey }),
  listing: (keyId: string, createdAt: string, agentId: string) => ({
    pk: listingPartition(keyId),
    sk: `${createdAt}#${agentId}`,
  }),
  thread: (keyId: string, thread: string, createdAt: string, agentId: string) => ({
    pk: threadPartition(keyId, thread),
    sk: `${createdAt}#${agentId}`,
  }),
  idempotency: (keyId: string, idempotencyKey: string) => ({
    pk: `${runsPartitions.idempotency}${keyId}#${sha256Hex(idempotencyKey)}`,
    sk: 'RUN',
  }),
};

/** The id of the event that an item's sort key names: the last one of its commit. */
export const eventIdOf = (sk: string): number => Number(sk.slice(eventPrefix.length));

/** The sort keys of a run's events after an id, and of nothing else. The first has the event after it, even if a commit's other events lie before. */
export const eventsRange = (agentId: string, after = 0) => ({
  pk: runPartition(agentId),
  first: `${itemKeys.event(agentId, after).sk}~`,
  last: `${eventPrefix}~`,
});

const activePartition = (accountId: string) => `${runsPartitions.activeRuns}${accountId}`;

export const activeRunsKey = (accountId: string) => ({ pk: activePartition(accountId), sk: 'ACTIVE' });

export const waitingRunPrefix = 'WAITING#';

/** The sort keys of waiting runs sort by the creation of the runs. */
export const waitingRunKey = (run: Pick<RunRecord, 'agentId' | 'createdAt' | 'payer'>) => ({
  pk: activePartition(run.payer.accountId),
  sk: `${waitingRunPrefix}${run.createdAt}#${run.agentId}`,
});

/** Texts of a run that are too long for its items lie under this prefix of the bucket. */
export const payloadPrefix = (agentId: string): string => `${filePrefixes.events}${agentId}/`;
