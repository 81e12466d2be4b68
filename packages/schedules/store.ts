import { batchGet, getItem, limits, queryAll, queryPages, toIso } from '@errand/platform';
import type { ScheduleStoreDeps } from './deps.ts';
import {
  duePartition,
  itemKeys,
  outcomePrefix,
  ownPartition,
  ownPrefix,
  schedulePartition,
} from './item-keys.ts';
import type { Outcome, Schedule, ScheduledBody } from './schedule.ts';

const scheduleId = /^schedule_[0-9A-Za-z]{20}$/;

/** The schedule, of any key. */
export async function readSchedule(deps: ScheduleStoreDeps, id: string): Promise<Schedule | undefined> {
  // Any other text is the id of none, and may be a key that DynamoDB refuses.
  if (!scheduleId.test(id)) return undefined;
  return getItem<Schedule>(deps, deps.tables.schedules, itemKeys.schedule(id));
}

/** What its runs are created with. Undefined if the schedule is gone. */
export async function readBody(deps: ScheduleStoreDeps, id: string): Promise<ScheduledBody | undefined> {
  const item = await getItem<{ body: string }>(deps, deps.tables.schedules, itemKeys.body(id));
  return item && (JSON.parse(item.body) as ScheduledBody);
}

/** The schedules of a key, or of all keys of the account, in no order. */
export async function querySchedules(
  deps: ScheduleStoreDeps,
  { accountId, keyId }: { accountId: string; keyId?: string },
): Promise<Schedule[]> {
  const own = await queryAll<{ id: string }>(deps, {
    TableName: deps.tables.schedules,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': ownPartition(accountId), ':prefix': ownPrefix(keyId) },
  });
  return batchGet<Schedule>(
    deps,
    deps.tables.schedules,
    own.map(({ id }) => itemKeys.schedule(id)),
  );
}

/** The last outcomes, newest first. */
export const queryOutcomes = async (deps: ScheduleStoreDeps, id: string): Promise<Outcome[]> => {
  const query = {
    TableName: deps.tables.schedules,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': schedulePartition(id), ':prefix': outcomePrefix },
    ScanIndexForward: false,
    Limit: limits.scheduleOutcomesShown,
  };
  for await (const outcomes of queryPages<Outcome>(deps, query)) return outcomes;
  return [];
};

export const readOutcome = (
  deps: ScheduleStoreDeps,
  id: string,
  outcome: Pick<Outcome, 'at' | 'manual' | 'agentId'>,
): Promise<Outcome | undefined> =>
  getItem<Outcome>(deps, deps.tables.schedules, itemKeys.outcome(id, outcome));

export interface Due {
  id: string;
  dueMilliseconds: number;
  /** Of the schedule, when the entry was put there. */
  revision: number;
}

/** What is due in a partition, the earliest first. */
export const queryDue = (deps: ScheduleStoreDeps, shard: number): AsyncGenerator<Due[]> =>
  queryPages<Due>(deps, {
    TableName: deps.tables.schedules,
    KeyConditionExpression: 'pk = :pk AND sk < :now',
    ExpressionAttributeValues: { ':pk': duePartition(shard), ':now': `${toIso(deps.clock())}$` },
  });

/** The items of a schedule that do not expire by themselves. */
export const scheduleItems = (deps: ScheduleStoreDeps, id: string) =>
  queryAll<{ pk: string; sk: string }>(deps, {
    TableName: deps.tables.schedules,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': schedulePartition(id) },
    ProjectionExpression: 'pk, sk',
  });
