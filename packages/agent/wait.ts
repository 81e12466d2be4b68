import { failureFields, hasStalled, isPassing, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import type { AgentDeps } from './deps.ts';
import type { Forced, Progress, Thinking } from './state.ts';

/** The pauses of a run that waits for a provider. The last one is repeated. */
const pausesMilliseconds = [2_000, 4_000, 8_000, 15_000, 30_000];

/** Pauses are up to a quarter shorter or longer, so that runs do not come back all at once. */
const spread = 0.25;

/**
 * The pause before the same work is tried again; undefined if the run goes on without the provider: the failure will not
 * pass, the provider had its time, or the run has waited for as long as it may.
 */
export function waitFor(
  deps: Pick<AgentDeps, 'clock' | 'log' | 'patienceMilliseconds'>,
  state: Forced | Thinking,
  failure: unknown,
  random = Math.random,
): (Progress & { state: Forced | Thinking }) | undefined {
  if (!mayPass(failure, state) || hasStalled(failure)) return undefined;
  const waiting = state.waiting ?? { sinceMilliseconds: deps.clock(), pauses: 0, pausedMilliseconds: 0 };
  // A clock that was set back must not make the wait longer, so the pauses are summed too.
  const waited = Math.max(deps.clock() - waiting.sinceMilliseconds, waiting.pausedMilliseconds);
  const left = patienceOf(deps, state) - waited;
  if (left <= 0) return undefined;
  const pauseMilliseconds = Math.min(left, pauseAfter(failure, waiting.pauses, random));
  if (!state.waiting)
    deps.log.warn('run waits for the model provider', {
      phase: placeOf(state),
      ...failureFields(failure),
      pauseMilliseconds,
    });
  return {
    events: [],
    costs: [],
    state: {
      ...state,
      waiting: {
        ...waiting,
        pauses: waiting.pauses + 1,
        pausedMilliseconds: waiting.pausedMilliseconds + pauseMilliseconds,
        untilMilliseconds: deps.clock() + left,
      },
    },
    pauseMilliseconds,
  };
}

const placeOf = (state: Forced | Thinking) => (state.phase === 'forced' ? state.phase : state.part);

/** A provider in trouble may send a page in place of a completion. A file is not sent twice for an answer without sense. */
const mayPass = (failure: unknown, { phase }: Forced | Thinking): failure is UpstreamError =>
  isPassing(failure) ||
  (phase !== 'forced' && failure instanceof UpstreamError && failure.kind === 'unreadable');

/** In the final check there is an answer already. */
const patienceOf = (
  { patienceMilliseconds }: Pick<AgentDeps, 'patienceMilliseconds'>,
  state: Forced | Thinking,
) =>
  placeOf(state) === 'check'
    ? Math.min(limits.checkPatienceSeconds * 1000, patienceMilliseconds)
    : patienceMilliseconds;

function pauseAfter({ retryAfterSeconds = 0 }: UpstreamError, pauses: number, random: () => number): number {
  const pause = pausesMilliseconds[Math.min(pauses, pausesMilliseconds.length - 1)]!;
  const least = Math.max(pause * (1 - spread), retryAfterSeconds * 1000);
  return Math.min(limits.longestPauseMilliseconds, Math.round(least + random() * pause * spread * 2));
}
