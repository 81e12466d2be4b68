import { isDeepStrictEqual } from 'node:util';
import { itemKeys as moneyKeys, readItem } from '@errand/money';
import { type Discrepancy, getItem, toIso, toSeconds } from '@errand/platform';
import { readRun } from '@errand/runs';
import type { ScheduleStoreDeps } from './deps.ts';
import { itemKeys } from './item-keys.ts';
import type { Schedule } from './schedule.ts';
import {
  allSchedules,
  countOf,
  type Own,
  queryOwn,
  queryRunning,
  readSchedule,
  readSchedules,
} from './store.ts';

const schedulesAtOnce = 16;
/** Longer than anything due, or a process that starts a run, should take. */
const lateMilliseconds = 60 * 60 * 1000;

type CheckDeps = ScheduleStoreDeps & Parameters<typeof readRun>[0];

/** Yields what is wrong with the schedules of an account, or with all. Only reads. */
export async function* checkSchedules(deps: CheckDeps, accountId?: string): AsyncGenerator<Discrepancy> {
  const pages = accountId === undefined ? allSchedules(deps) : [await schedulesOf(deps, accountId)];
  for await (const { accountIds, ids } of pages) {
    for (const id of accountIds) yield* await lasting(() => checkAccount(deps, id));
    for (let at = 0; at < ids.length; at += schedulesAtOnce) {
      const some = ids.slice(at, at + schedulesAtOnce);
      const found = await Promise.all(some.map((id) => lasting(() => checkSchedule(deps, id))));
      yield* found.flat();
    }
  }
}

const schedulesOf = async (deps: CheckDeps, accountId: string) => ({
  accountIds: [accountId],
  ids: (await queryOwn(deps, accountId)).map(({ id }) => id),
});

/** What is found twice: a schedule that changes between two reads is whole at the next ones. */
async function lasting(find: () => Promise<Discrepancy[]>): Promise<Discrepancy[]> {
  const found = await find();
  if (found.length === 0) return found;
  const still = await find();
  return found.filter((one) => still.some((other) => isDeepStrictEqual(one, other)));
}

/** Whether an account has the schedules that it lists and counts. */
async function checkAccount(deps: CheckDeps, accountId: string): Promise<Discrepancy[]> {
  const counted = await countOf(deps, accountId);
  const own = await queryOwn(deps, accountId);
  const problems: string[] = [];
  const { length } = own.filter(({ expiresAtSeconds }) => expiresAtSeconds === undefined);
  if (counted !== length) problems.push(`The account counts ${counted} schedules, and has ${length}.`);
  if (own.length > 0 && !(await readItem(deps, moneyKeys.account(accountId))))
    problems.push('The account has schedules, and is missing.');
  const missing = await missingOf(deps, own);
  return [
    ...problems.map((problem) => ({ of: 'account' as const, id: accountId, problem })),
    ...missing.map((id) => ({ of: 'schedule' as const, id, problem: 'The schedule is listed and missing.' })),
  ];
}

async function missingOf(deps: CheckDeps, own: readonly Own[]): Promise<string[]> {
  const kept = own.filter((each) => !isExpired(deps, each)).map(({ id }) => id);
  const found = new Set((await readSchedules<{ id: string }>(deps, kept, ['id'])).map(({ id }) => id));
  return kept.filter((id) => !found.has(id));
}

/** DynamoDB deletes what has expired days late, and the items of a schedule one by one. */
const isExpired = ({ clock }: CheckDeps, { expiresAtSeconds }: Pick<Own, 'expiresAtSeconds'>): boolean =>
  expiresAtSeconds !== undefined && expiresAtSeconds <= toSeconds(clock());

async function checkSchedule(deps: CheckDeps, id: string): Promise<Discrepancy[]> {
  const schedule = await readSchedule(deps, id);
  if (!schedule || isExpired(deps, schedule)) return [];
  const found = await Promise.all([
    checkItems(deps, schedule),
    checkDue(deps, schedule),
    checkOutcomes(deps, schedule),
  ]);
  return found.flat().map((problem) => ({ of: 'schedule', id, problem }));
}

async function checkItems(deps: CheckDeps, schedule: Schedule): Promise<string[]> {
  const [body, own] = await Promise.all(
    [itemKeys.body(schedule.id), itemKeys.own(schedule)].map((key) =>
      getItem(deps, deps.tables.schedules, key),
    ),
  );
  return [
    ...(body ? [] : ['What its runs are created with is missing.']),
    ...(own ? [] : ['The schedule is missing in the list of its account.']),
  ];
}

/** Whether somebody looks after the schedule in time. */
async function checkDue(deps: CheckDeps, schedule: Schedule): Promise<string[]> {
  const { id, dueMilliseconds: due } = schedule;
  if (due === undefined)
    return isToBeDue(schedule)
      ? ['The schedule has an instant, or a run that has not ended, and is never due.']
      : [];
  const problems: string[] = [];
  if (!(await getItem(deps, deps.tables.schedules, itemKeys.due(id, due))))
    problems.push(`The schedule is due at ${toIso(due)}, and is missing in the list of what is due.`);
  if (deps.clock() - due >= lateMilliseconds)
    problems.push(`The schedule is due since ${toIso(due)}, and nobody has looked after it.`);
  return problems;
}

const isToBeDue = ({ firingMilliseconds, nextMilliseconds, paused, open }: Schedule): boolean =>
  (firingMilliseconds ?? (paused ? undefined : nextMilliseconds)) !== undefined || open.length > 0;

/** An outcome that has ended may outlast its run. Of one that has not, the schedule waits for the run's end. */
async function checkOutcomes(deps: CheckDeps, { id, open }: Schedule): Promise<string[]> {
  const running = await queryRunning(deps, id);
  const lost = running.filter(
    ({ agentId, startedAt }) =>
      deps.clock() - Date.parse(startedAt) >= lateMilliseconds &&
      !open.some((each) => each.agentId === agentId),
  );
  return Promise.all(
    lost.map(async ({ at, agentId }) =>
      (await readRun(deps, agentId))
        ? `The outcome of ${at} is running, and nobody waits for the end of its run ${agentId}.`
        : `The outcome of ${at} is running, and its run ${agentId} is gone.`,
    ),
  );
}
