import { batchGet, getItem, limits, queryAll, queryPages, scanPages, toIso } from '@errand/platform';
import type { ScheduleStoreDeps } from './deps.ts';
import {
  duePartition,
  itemKeys,
  outcomePrefix,
  ownPartition,
  ownPrefix,
  schedulePartition,
} from './item-keys.ts';
import type { Outcome, Schedule, ScheduledBody, StartedOutcome } from './schedule.ts';

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
  return readSchedules<Schedule>(
    deps,
    own.map(({ id }) => id),
  );
}

/** The most keys that one read takes. An account may list more schedules: those of revoked keys take up no place. */
const keysAtOnce = 100;

/** The schedules of these ids that there are, or what of them is asked for, in no order. */
export async function readSchedules<Part extends Partial<Schedule>>(
  deps: ScheduleStoreDeps,
  ids: readonly string[],
  attributes?: readonly (keyof Part & string)[],
): Promise<Part[]> {
  const found: Part[] = [];
  for (let at = 0; at < ids.length; at += keysAtOnce) {
    const keys = ids.slice(at, at + keysAtOnce).map(itemKeys.schedule);
    found.push(...(await batchGet<Part>(deps, deps.tables.schedules, keys, { attributes })));
  }
  return found;
}

/** The entry of a schedule in the list of its account. */
export interface Own {
  id: string;
  /** Set once the schedule takes up no place any more. */
  expiresAtSeconds?: number;
}

/** The entries of all schedules of the account. */
export const queryOwn = (deps: ScheduleStoreDeps, accountId: string): Promise<Own[]> =>
  queryAll<Own>(deps, {
    TableName: deps.tables.schedules,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': ownPartition(accountId), ':prefix': ownPrefix() },
  });

/** How many schedules the account counts. */
export async function countOf(deps: ScheduleStoreDeps, accountId: string): Promise<number> {
  const key = itemKeys.count(accountId);
  return (await getItem<{ schedules: number }>(deps, deps.tables.schedules, key))?.schedules ?? 0;
}

/** The ids of all schedules, and of the accounts that list or count any, a page at a time. It reads the whole table. */
export async function* allSchedules(
  deps: ScheduleStoreDeps,
): AsyncGenerator<{ ids: string[]; accountIds: string[] }> {
  const prefix = ownPartition('');
  const { sk: schedule } = itemKeys.schedule('');
  const pages = scanPages<{ pk: string; sk: string; id: string }>(deps, {
    TableName: deps.tables.schedules,
    FilterExpression: 'sk = :schedule OR begins_with(pk, :prefix)',
    ProjectionExpression: 'pk, sk, id',
    ExpressionAttributeValues: { ':schedule': schedule, ':prefix': prefix },
  });
  // Items of one account follow each other.
  let last: string | undefined;
  for await (const page of pages) {
    const owned = page.filter(({ sk }) => sk !== schedule).map(({ pk }) => pk.slice(prefix.length));
    const accountIds = new Set(owned);
    if (last !== undefined) accountIds.delete(last);
    last = owned.at(-1) ?? last;
    yield { ids: page.flatMap(({ sk, id }) => (sk === schedule ? id : [])), accountIds: [...accountIds] };
  }
}

/** Outcomes whose runs are not known to have ended. */
export const queryRunning = (deps: ScheduleStoreDeps, id: string): Promise<StartedOutcome[]> =>
  queryAll<StartedOutcome>(deps, {
    TableName: deps.tables.schedules,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    FilterExpression: '#status = :running',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':pk': schedulePartition(id),
      ':prefix': outcomePrefix,
      ':running': 'running' satisfies Outcome['status'],
    },
  });

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
  /** Tells the entry from another one at this time: of the schedule when it was put there, or the run that it was put there with. */
  revision: number | string;
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
