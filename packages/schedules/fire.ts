import { letInWork, readPrincipal } from '@errand/accounts';
import { nothingYet } from '@errand/money';
import { DomainError, newUuid, type Principal, toIso } from '@errand/platform';
import { findByIdempotencyKey, runErrors, startRun } from '@errand/runs';
import { askedAt } from './asked-at.ts';
import type { TickDeps } from './deps.ts';
import { isPassing, wordsOf } from './refusals.ts';
import { idempotencyKeyOf, type Outcome, type Schedule, type ScheduledBody, startedOutcome } from './schedule.ts';
import { readBody } from './store.ts';

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
  const idempotencyKey = idempotencyKeyOf(schedule, at);
  // An earlier process may have died between the start and its note.
  const found =
    schedule.attempts > 1 ? await findByIdempotencyKey(deps, schedule.keyId, idempotencyKey) : undefined;
  if (found) {
    const untilMilliseconds = Math.max(instant, Date.parse(found.createdAt));
    return { instant, outcome: startedOutcome(at, found), untilMilliseconds };
  }
  if (isLast) return told({ status: 'not_started', reason: 'The run could not be started.' });
  if (!key.principal) return told({ status: 'refused', reason: `The key is ${key.end}.` });
  if (isBusy && schedule.overlap === 'queue') return 'waits';
  if (isBusy) return told({ status: 'skipped', reason: 'The run before had not ended.' });
  try {
    if (!deps.agentsEnabled) throw new DomainError('agents_disabled');
    const body = await readBody(deps, schedule.id);
    if (!body) throw new Error('a schedule without a body');
    const started = await start(deps, schedule, { principal: key.principal, at, idempotencyKey, body, signal });
    return { ...told({ status: 'running' }), outcome: startedOutcome(at, started) };
  } catch (error) {
    if (!(error instanceof DomainError) || isPassing(error)) throw error;
    return told({ status: 'refused', reason: wordsOf(runErrors, error) });
  }
}

interface Start {
  principal: Principal;
  at: string;
  idempotencyKey: string;
  body: ScheduledBody;
  signal: AbortSignal;
}

const start = (
  deps: TickDeps,
  schedule: Schedule,
  { principal, at, idempotencyKey, body, signal }: Start,
) =>
  startRun(
    deps,
    {
      principal,
      requestId: newUuid(),
      traceparent: undefined,
      origin: schedule.origin,
      signal,
      conditions: () => ({ idempotencyKey, precondition: {} }),
      async letInAfter(plan) {
        const planned = await plan();
        const bound = planned.repeated ? nothingYet : planned.bound;
        const nothing = { payer: { accountId: principal.accountId }, balanceNanoEuro: 0 };
        const credits = planned.repeated
          ? nothing
          : await letInWork(deps.accounts, principal, { route: 'runs', bound });
        return { ...planned, credits };
      },
    },
    async () => ({ body: askedAt(body, at, schedule.timing.timeZone), text: idempotencyKey, scheduleId: schedule.id }),
  );
