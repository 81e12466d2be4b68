import { letInWork, type readPrincipal } from '@errand/accounts';
import { DomainError, newUuid, type Principal, toIso } from '@errand/platform';
import { type RunRecord, readRun, runErrors, startRun } from '@errand/runs';
import { askedAt } from './asked-at.ts';
import type { TickDeps } from './deps.ts';
import { isPassing, wordsOf } from './refusals.ts';
import {
  idempotencyKeyOf,
  type Outcome,
  type Schedule,
  type ScheduledBody,
  type StartedOutcome,
  startedOutcome,
} from './schedule.ts';
import { readBody, readOutcome } from './store.ts';
import { startedWrites } from './writes.ts';

/** What became of an instant. `untilMilliseconds`: instants up to then are made up for. */
export interface Fired {
  instant: number;
  outcome: Outcome;
  untilMilliseconds: number;
}

type Key = Awaited<ReturnType<typeof readPrincipal>>;

interface Firing {
  key: Key;
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
 * Starts the run of an instant, unless it has been started. `waits`: it is started when the run before has ended. Throws what is
 * no refusal.
 */
export async function fire(
  deps: TickDeps,
  schedule: Schedule,
  instant: number,
  { key, now, isBusy, isLast, signal }: Firing,
): Promise<Fired | 'waits'> {
  const at = toIso(instant);
  const told = (outcome: Omit<Outcome, 'at'>): Fired => ({
    instant,
    outcome: { at, ...outcome },
    untilMilliseconds: now,
  });
  // An earlier process may have died between the start and its note.
  const earlier = schedule.attempts > 1 ? await readOutcome(deps, schedule.id, { at }) : undefined;
  if (isStarted(earlier))
    return { instant, outcome: earlier, untilMilliseconds: Math.max(instant, Date.parse(earlier.startedAt)) };
  if (isLast) return told({ status: 'not_started', reason: 'The run could not be started.' });
  if (!key.principal) return told({ status: 'refused', reason: `The key is ${key.end}.` });
  if (isBusy && schedule.overlap === 'queue') return 'waits';
  if (isBusy) return told({ status: 'skipped', reason: 'The run before had not ended.' });
  try {
    if (!deps.agentsEnabled) throw new DomainError('agents_disabled');
    const body = await readBody(deps, schedule.id);
    if (!body) throw new Error('a schedule without a body');
    const { principal } = key;
    const outcome = await start(deps, schedule, { principal, at, body, signal });
    return { instant, outcome, untilMilliseconds: now };
  } catch (error) {
    if (!(error instanceof DomainError) || isPassing(error)) throw error;
    return told({ status: 'refused', reason: wordsOf(runErrors, error) });
  }
}

const isStarted = (outcome: Outcome | undefined): outcome is StartedOutcome => outcome?.agentId !== undefined;

interface Start {
  principal: Principal;
  at: string;
  body: ScheduledBody;
  signal: AbortSignal;
}

async function start(
  deps: TickDeps,
  schedule: Schedule,
  { principal, at, body, signal }: Start,
): Promise<StartedOutcome> {
  const { id: scheduleId, origin, timing } = schedule;
  const idempotencyKey = idempotencyKeyOf(schedule, at);
  const starter = { principal, requestId: newUuid(), traceparent: undefined, origin, signal };
  let outcome: StartedOutcome | undefined;
  const asked = {
    body: askedAt(body, at, timing.timeZone),
    text: idempotencyKey,
    scheduleId,
    note(run: Pick<RunRecord, 'agentId' | 'createdAt'>) {
      outcome = startedOutcome(at, run);
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
  return outcome?.agentId === agentId ? outcome : adopt(deps, scheduleId, at, agentId);
}

/** A run is started with its note: one that lacks it has lost it to a table that was restored. */
async function adopt(deps: TickDeps, id: string, at: string, agentId: string): Promise<StartedOutcome> {
  const run = (await readOutcome(deps, id, { at })) ? undefined : await readRun(deps, agentId);
  if (!run) throw new Error('another process has started the run');
  return startedOutcome(at, run);
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
