import { letInWork, type readPrincipal } from '@errand/accounts';
import { DomainError, newUuid, type Principal, toIso } from '@errand/platform';
import { type RunRecord, readRun, runErrors, startRun } from '@errand/runs';
import { askedAt } from './asked-at.ts';
import type { TickDeps } from './deps.ts';
import { isPassing, wordsOf } from './refusals.ts';
import { idempotencyKeyOf, type Outcome, type Schedule, startedOutcome } from './schedule.ts';
import { readBody } from './store.ts';
import { begun, type Fired, whatBecame } from './what-became.ts';
import { startedWrites } from './writes.ts';

type Key = Awaited<ReturnType<typeof readPrincipal>>;

interface Firing {
  key: Key;
  /** The schedule stops with its key: no run is started any more, and nothing is told of that. */
  isStopped: boolean;
  now: number;
  /** A run of the schedule has not ended. */
  isBusy: boolean;
  /** Earlier processes died of it, or gave up: no run is started any more. */
  isLast: boolean;
  signal: AbortSignal;
}

/** The instant whose run is to be started now, if there is one. */
export function dueInstant(schedule: Schedule, now: number): number | undefined {
  const { firingMilliseconds, nextMilliseconds, paused, stopped } = schedule;
  const next = paused || stopped ? undefined : nextMilliseconds;
  const instant = firingMilliseconds ?? next;
  return instant !== undefined && instant <= now ? instant : undefined;
}

/**
 * Starts the run of an instant, unless it has been started. `waits`: it is started when the run before has ended. Undefined if
 * nothing becomes of it. Throws what is no refusal.
 */
export async function fire(
  deps: TickDeps,
  schedule: Schedule,
  instant: number,
  { key, isStopped, now, isBusy, isLast, signal }: Firing,
): Promise<Fired | 'waits' | undefined> {
  const at = toIso(instant);
  const told = (outcome: Omit<Outcome, 'at'>): Fired => ({
    instant,
    outcome: { at, ...outcome },
    untilMilliseconds: now,
    isNoted: false,
  });
  // An earlier process may have died between the start and its note.
  const became = schedule.attempts > 1 || isStopped ? await whatBecame(deps, schedule, instant) : undefined;
  if (became || isStopped) return became;
  if (isLast) return told({ status: 'not_started', reason: 'The run could not be started.' });
  if (!key.principal) return told({ status: 'refused', reason: `The key is ${key.end}.` });
  if (isBusy && schedule.overlap === 'queue') return 'waits';
  if (isBusy) return told({ status: 'skipped', reason: 'The run before had not ended.' });
  try {
    if (!deps.agentsEnabled) throw new DomainError('agents_disabled');
    return await start(deps, schedule, instant, { principal: key.principal, signal });
  } catch (error) {
    if (error instanceof DomainError && !isPassing(error))
      return told({ status: 'refused', reason: wordsOf(runErrors, error) });
    // The store's answer may have got lost, or another process was sooner.
    const started = await whatBecame(deps, schedule, instant);
    if (started) return started;
    throw error;
  }
}

async function start(
  deps: TickDeps,
  schedule: Schedule,
  instant: number,
  { principal, signal }: { principal: Principal; signal: AbortSignal },
): Promise<Fired> {
  const { id: scheduleId, origin, timing } = schedule;
  const body = await readBody(deps, scheduleId);
  if (!body) throw new Error('a schedule without a body');
  const at = toIso(instant);
  const idempotencyKey = idempotencyKeyOf(schedule, at);
  const starter = { principal, requestId: newUuid(), traceparent: undefined, origin, signal };
  let own: Fired | undefined;
  const asked = {
    body: askedAt(body, at, timing.timeZone),
    text: idempotencyKey,
    scheduleId,
    note(run: Pick<RunRecord, 'agentId' | 'createdAt'>) {
      const outcome = startedOutcome(at, run);
      own = begun(instant, outcome);
      return startedWrites(deps, scheduleId, outcome);
    },
  };
  const { agentId } = await startRun(
    deps,
    {
      ...starter,
      conditions: () => ({ idempotencyKey, precondition: {} }),
      letInAfter: letIn(deps, principal),
    },
    async () => asked,
  );
  if (own?.outcome.agentId === agentId) return own;
  return (await whatBecame(deps, schedule, instant)) ?? adopt(deps, instant, agentId);
}

/** A run is written with its outcome: one that lacks it has lost it to a table that was restored. */
async function adopt(deps: TickDeps, instant: number, agentId: string): Promise<Fired> {
  const run = await readRun(deps, agentId);
  if (!run) throw new Error('another process has taken the run back');
  return begun(instant, startedOutcome(toIso(instant), run));
}

/** A run that another process has started is let in. */
const letIn =
  (deps: TickDeps, principal: Principal): Parameters<typeof startRun>[1]['letInAfter'] =>
  async (plan) => {
    const planned = await plan();
    const nothing = { payer: { accountId: principal.accountId }, balanceNanoEuro: 0 };
    const asked = { route: 'runs', bound: planned.bound } as const;
    return {
      ...planned,
      credits: planned.repeated ? nothing : await letInWork(deps.accounts, principal, asked),
    };
  };
