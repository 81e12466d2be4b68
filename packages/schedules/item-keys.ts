import { limits, sha256Hex, toIso } from '@errand/platform';
import type { Outcome, Schedule } from './schedule.ts';

export const schedulePartition = (id: string): string => `SCHEDULE#${id}`;

export const outcomePrefix = 'OUTCOME#';

export const duePartition = (shard: number): string => `DUE#${shard}`;

export const ownPartition = (accountId: string): string => `ACCOUNT#${accountId}`;

/** The sort keys of the schedules of a key, or of all keys. */
export const ownPrefix = (keyId?: string): string => (keyId === undefined ? 'KEY#' : `KEY#${keyId}#`);

const shardOf = (id: string): number =>
  Number.parseInt(sha256Hex(id).slice(0, 4), 16) % limits.scheduleShards;

/** Keys of the items in the table `Schedules`. */
export const itemKeys = {
  schedule: (id: string) => ({ pk: schedulePartition(id), sk: 'SCHEDULE' }),
  body: (id: string) => ({ pk: schedulePartition(id), sk: 'BODY' }),
  /** Several runs may be asked for at one moment. */
  outcome: (id: string, { at, manual, agentId }: Pick<Outcome, 'at' | 'manual' | 'agentId'>) => ({
    pk: schedulePartition(id),
    sk: `${outcomePrefix}${at}${manual ? `#manual#${agentId}` : ''}`,
  }),
  own: ({ accountId, keyId, id }: Pick<Schedule, 'accountId' | 'keyId' | 'id'>) => ({
    pk: ownPartition(accountId),
    sk: `${ownPrefix(keyId)}${id}`,
  }),
  count: (accountId: string) => ({ pk: ownPartition(accountId), sk: 'COUNT' }),
  /** Sorts by time. */
  due: (id: string, dueMilliseconds: number) => ({
    pk: duePartition(shardOf(id)),
    sk: `${toIso(dueMilliseconds)}#${id}`,
  }),
};
