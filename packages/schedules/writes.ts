import {
  batchDelete,
  ConditionsFailed,
  deleteItem,
  limits,
  type NamedWrite,
  toSeconds,
  transact,
  updateItem,
} from '@errand/platform';
import type { ScheduleStoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import type { Outcome, Schedule, ScheduledBody, StartedOutcome } from './schedule.ts';
import { type Due, scheduleItems } from './store.ts';

/** Fails if the account has as many schedules as it may have. */
export const roomForSchedule = 'room-for-schedule';

/** Fails if the schedule was changed since it was read, or is gone, or if an instant has a run that was not known of. */
export const scheduleUnchanged = 'schedule-unchanged';

const bodyWrite = (
  { tables }: ScheduleStoreDeps,
  { id, expiresAtSeconds }: Pick<Schedule, 'id' | 'expiresAtSeconds'>,
  body: ScheduledBody,
): NamedWrite => ({
  Put: {
    TableName: tables.schedules,
    Item: { ...itemKeys.body(id), body: JSON.stringify(body), expiresAtSeconds },
  },
});

const countWrite = (deps: ScheduleStoreDeps, accountId: string, by: 1 | -1): NamedWrite => ({
  condition: roomForSchedule,
  Update: {
    TableName: deps.tables.schedules,
    Key: itemKeys.count(accountId),
    UpdateExpression: 'ADD schedules :by',
    ConditionExpression: 'attribute_not_exists(pk) OR schedules < :most',
    ExpressionAttributeValues: {
      ':by': by,
      ':most': by > 0 ? limits.schedulesPerAccount : Number.MAX_SAFE_INTEGER,
    },
  },
});

/** The entry of what is due moves with its schedule. */
function dueWrites(
  { tables }: ScheduleStoreDeps,
  before: Pick<Schedule, 'id' | 'dueMilliseconds'>,
  after?: Pick<Schedule, 'dueMilliseconds' | 'revision'>,
): NamedWrite[] {
  const { id } = before;
  const from = before.dueMilliseconds;
  const to = after?.dueMilliseconds;
  if (from === to) return [];
  const TableName = tables.schedules;
  const writes: NamedWrite[] = [];
  if (from !== undefined) writes.push({ Delete: { TableName, Key: itemKeys.due(id, from) } });
  if (after && to !== undefined) {
    const entry: Due = { id, dueMilliseconds: to, revision: after.revision };
    writes.push({ Put: { TableName, Item: { ...itemKeys.due(id, to), ...entry } } });
  }
  return writes;
}

/** Throws `ConditionsFailed` with `room-for-schedule`. */
export const writeNewSchedule = (
  deps: ScheduleStoreDeps,
  schedule: Schedule,
  body: ScheduledBody,
): Promise<void> => {
  const TableName = deps.tables.schedules;
  const { id, accountId } = schedule;
  return transact(deps, [
    countWrite(deps, accountId, 1),
    { Put: { TableName, Item: { ...itemKeys.schedule(id), ...schedule } } },
    { Put: { TableName, Item: { ...itemKeys.own(schedule), id } } },
    bodyWrite(deps, schedule, body),
    ...dueWrites(deps, { id }, schedule),
  ]);
};

/** What is written with a change of a schedule. */
interface Beside {
  body?: ScheduledBody;
  outcomes?: readonly Outcome[];
  others?: readonly NamedWrite[];
}

/** Changes a schedule as it was read. Throws `ConditionsFailed` with `schedule-unchanged`. */
export async function changeSchedule(
  deps: ScheduleStoreDeps,
  before: Schedule,
  changed: Omit<Schedule, 'revision'>,
  { body, outcomes = [], others = [] }: Beside = {},
): Promise<Schedule> {
  const TableName = deps.tables.schedules;
  const { id, accountId } = before;
  const after: Schedule = { ...changed, revision: before.revision + 1 };
  // A revoked key can delete nothing: what it leaves expires, and takes up no place.
  const leaves = after.expiresAtSeconds !== undefined && before.expiresAtSeconds === undefined;
  await transact(deps, [
    {
      condition: scheduleUnchanged,
      Put: {
        TableName,
        Item: { ...itemKeys.schedule(id), ...after },
        ConditionExpression: '#revision = :before',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: { ':before': before.revision },
      },
    },
    ...dueWrites(deps, before, after),
    ...(body ? [bodyWrite(deps, after, body)] : []),
    ...(leaves ? [countWrite(deps, accountId, -1), ...leavingWrites(deps, after)] : []),
    ...outcomes.map((outcome) => outcomeWrite(deps, id, outcome)),
    ...others,
  ]);
  return after;
}

const outcomePut = ({ tables, clock }: ScheduleStoreDeps, id: string, outcome: Outcome) => {
  const expiresAtSeconds = toSeconds(clock()) + limits.scheduleOutcomeKeptSeconds;
  const Item = { ...itemKeys.outcome(id, outcome), ...outcome, expiresAtSeconds };
  return { TableName: tables.schedules, Item };
};

/** One without a run takes the place of none with a run, which was started meanwhile. */
function outcomeWrite(deps: ScheduleStoreDeps, id: string, outcome: Outcome): NamedWrite {
  const Put = outcomePut(deps, id, outcome);
  if (outcome.agentId !== undefined) return { Put };
  return {
    condition: scheduleUnchanged,
    Put: { ...Put, ConditionExpression: 'attribute_not_exists(agentId)' },
  };
}

/**
 * The writes of an outcome with its run, for the transaction that starts the run: an instant has one run, however long ago that was
 * started. `undo` is for the one that takes the run back.
 */
export function startedWrites(
  deps: ScheduleStoreDeps,
  id: string,
  outcome: StartedOutcome,
): { writes: NamedWrite[]; undo: NamedWrite } {
  const Put = outcomePut(deps, id, outcome);
  return {
    writes: [{ condition: 'instant-free', Put: { ...Put, ConditionExpression: 'attribute_not_exists(pk)' } }],
    undo: { Delete: { TableName: Put.TableName, Key: itemKeys.outcome(id, outcome) } },
  };
}

/** Fails if too many runs of the schedule have not ended, or if it is gone. */
export const roomForRun = 'room-for-run';

/**
 * Takes a place among the open runs for one that is asked for at once, in the transaction that starts it, and has the schedule due
 * for a look at it. An entry of what is due that is not true any more stays until it is due, and is forgotten then.
 */
export function openWrites(
  { tables, clock }: ScheduleStoreDeps,
  { id, dueMilliseconds = Number.POSITIVE_INFINITY }: Schedule,
  started: StartedOutcome,
): NamedWrite[] {
  const TableName = tables.schedules;
  const due = Math.min(dueMilliseconds, clock() + limits.scheduleLookMilliseconds);
  const entry: Due = { id, dueMilliseconds: due, revision: started.agentId };
  return [
    {
      condition: roomForRun,
      Update: {
        TableName,
        Key: itemKeys.schedule(id),
        UpdateExpression:
          'SET #open = list_append(#open, :started), looks = :none, dueMilliseconds = :due ADD #revision :one',
        ConditionExpression: 'size(#open) < :most',
        ExpressionAttributeNames: { '#open': 'open', '#revision': 'revision' },
        ExpressionAttributeValues: {
          ':started': [started],
          ':none': 0,
          ':due': due,
          ':one': 1,
          ':most': limits.scheduleOpenRuns,
        },
      },
    },
    { Put: { TableName, Item: { ...itemKeys.due(id, due), ...entry } } },
  ];
}

const leavingWrites = (deps: ScheduleStoreDeps, schedule: Schedule): NamedWrite[] =>
  [itemKeys.own(schedule), itemKeys.body(schedule.id)].map((Key) => ({
    Update: {
      TableName: deps.tables.schedules,
      Key,
      UpdateExpression: 'SET expiresAtSeconds = :at',
      ExpressionAttributeValues: { ':at': schedule.expiresAtSeconds },
    },
  }));

/** Throws `ConditionsFailed` with `schedule-unchanged`. */
export async function deleteSchedule(deps: ScheduleStoreDeps, schedule: Schedule): Promise<void> {
  const TableName = deps.tables.schedules;
  const { id, accountId, revision } = schedule;
  await transact(deps, [
    {
      condition: scheduleUnchanged,
      Delete: {
        TableName,
        Key: itemKeys.schedule(id),
        ConditionExpression: '#revision = :before',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: { ':before': revision },
      },
    },
    { Delete: { TableName, Key: itemKeys.own(schedule) } },
    { Delete: { TableName, Key: itemKeys.body(id) } },
    ...(schedule.expiresAtSeconds === undefined ? [countWrite(deps, accountId, -1)] : []),
    ...dueWrites(deps, schedule),
  ]);
  await batchDelete(deps, TableName, await scheduleItems(deps, id));
}

/**
 * Takes what is due for a minute, so that no other process does the same. `stale`: the entry is not true any more. Undefined if
 * another process has it.
 */
export async function claimDue(
  deps: ScheduleStoreDeps,
  { id, dueMilliseconds }: Due,
): Promise<Schedule | 'stale' | undefined> {
  const now = deps.clock();
  const condition = 'due-unclaimed';
  try {
    const claimed = await updateItem(deps, {
      condition,
      TableName: deps.tables.schedules,
      Key: itemKeys.schedule(id),
      UpdateExpression: 'SET claimedUntilMilliseconds = :until ADD #revision :one, attempts :one',
      ConditionExpression:
        'dueMilliseconds = :due AND (attribute_not_exists(claimedUntilMilliseconds) OR claimedUntilMilliseconds <= :now)',
      ExpressionAttributeNames: { '#revision': 'revision' },
      ExpressionAttributeValues: {
        ':until': now + limits.scheduleClaimMilliseconds,
        ':now': now,
        ':due': dueMilliseconds,
        ':one': 1,
      },
      ReturnValues: 'ALL_NEW',
    });
    return claimed as unknown as Schedule;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const found = error.item(condition) as Schedule | undefined;
    return found?.dueMilliseconds === dueMilliseconds ? undefined : 'stale';
  }
}

/** For an entry whose schedule was not due then any more. It stays if it was put there again. */
export async function forgetDue(
  deps: ScheduleStoreDeps,
  { id, dueMilliseconds, revision }: Due,
): Promise<void> {
  const condition = 'entry-unchanged';
  try {
    await deleteItem(deps, {
      condition,
      TableName: deps.tables.schedules,
      Key: itemKeys.due(id, dueMilliseconds),
      ConditionExpression: '#revision = :revision',
      ExpressionAttributeNames: { '#revision': 'revision' },
      ExpressionAttributeValues: { ':revision': revision },
    });
  } catch (error) {
    if (!(error instanceof ConditionsFailed && error.has(condition))) throw error;
  }
}
