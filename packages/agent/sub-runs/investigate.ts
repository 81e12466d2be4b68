import { limits } from '@errand/platform';
import type { RunDeps } from '../answer/answer-form.ts';
import { afterAnswer } from '../answer-call.ts';
import type { AgentInput } from '../conversation.ts';
import type { AgentEvent, SubRun } from '../data.ts';
import type { SubRunEnd, SubRuns } from '../deps.ts';
import { guardedForSubRuns } from '../outside/guarded.ts';
import type { Acting, Progress } from '../state.ts';
import { type Investigation, keysOf, subRunsOf } from './plan-sub-runs.ts';
import { takeReports } from './take-reports.ts';

type SubRunDeps = RunDeps & { subRuns: SubRuns };

const isUnfinished = ({ status }: SubRun): boolean => status !== 'over';

/** Starts the sub-runs that are planned. What was started before, by whatever worker, is not started again. */
export async function startSubRuns(
  { subRuns: runner }: SubRunDeps,
  input: AgentInput,
  state: Acting,
  investigations: readonly Investigation[],
  answeredBefore: number,
): Promise<Pick<Progress, 'events'> & { state: Acting }> {
  const planned = keysOf(state, investigations, answeredBefore).flatMap((key, at) =>
    subRunsOf(state, key).map((run, i) => ({ ...run, question: investigations[at]?.questions[i] ?? '' })),
  );
  const due = planned.filter(({ status }) => status === 'planned');
  if (due.length === 0) return { events: [], state };
  const problems = await runner.start(due, guardedForSubRuns(input, state));
  for (const { runId, capNanoEuro } of due)
    if (problems.has(runId) && capNanoEuro !== undefined) await runner.takeBack(capNanoEuro, 0);
  const subRuns = state.subRuns?.map((run): SubRun => {
    if (run.status !== 'planned') return run;
    const problem = problems.get(run.runId);
    return problem === undefined
      ? { ...run, status: 'started' }
      : { ...run, status: 'over', problem, capNanoEuro: undefined };
  });
  const started = due.filter(({ runId }) => !problems.has(runId));
  const events = started.map(
    ({ runId, question }): AgentEvent => ({ type: 'sub_run', runId, question, status: 'queued' }),
  );
  return { events, state: { ...state, subRuns } };
}

/** Answers the investigations once all of their sub-runs are over, or waits. `events` are those that are not committed yet. */
export async function* awaitReports(
  deps: SubRunDeps,
  given: Acting,
  { investigations, answeredBefore }: { investigations: readonly Investigation[]; answeredBefore: number },
  { events, signal }: { events: AgentEvent[]; signal: AbortSignal },
): AsyncGenerator<Progress, Acting | undefined> {
  const runner = deps.subRuns;
  const keys = keysOf(given, investigations, answeredBefore);
  const runs = keys.flatMap((key) => subRunsOf(given, key)).filter(isUnfinished);
  const ids = runs.map(({ runId }) => runId);
  const awaited = runs.flatMap(({ runId, status }) => (status === 'ended' ? [] : runId));
  const over = await runner.over(awaited);
  const told = tellEnds(given, keys, investigations, over);
  const left = awaited.filter((runId) => !over.has(runId));
  const waiting = left.length > 0 ? waitingOf(deps, told.state) : undefined;
  if (waiting) {
    yield { events: [...events, ...told.events], costs: [], ...waiting, waitsForRuns: left };
    return undefined;
  }
  const ends = await (left.length > 0 ? runner.giveUp(ids) : runner.read(ids));
  const late = tellEnds(told.state, keys, investigations, ends);
  const ended = [...events, ...told.events, ...late.events];
  let { state } = late;
  for (const [i, investigation] of investigations.entries()) {
    const own = subRunsOf(state, keys[i]!).flatMap(({ runId }) => {
      const end = ends.get(runId);
      return end ? [[runId, end] as const] : [];
    });
    const taking = { key: keys[i]!, ends: new Map(own), signal };
    const taken = await takeReports(deps, state, investigation, taking);
    state = taken.state;
    yield {
      ...taken,
      events: i === 0 ? [...ended, ...taken.events] : taken.events,
      state: afterAnswer(deps, state),
    };
  }
  return state;
}

/** Tells of the sub-runs that have ended, each once. */
function tellEnds(
  given: Acting,
  keys: readonly string[],
  investigations: readonly Investigation[],
  ends: ReadonlyMap<string, Pick<SubRunEnd, 'status'>>,
): { state: Acting; events: AgentEvent[] } {
  const events = keys.flatMap((key, at) =>
    subRunsOf(given, key).flatMap(({ runId, status }, i): AgentEvent[] => {
      const end = status === 'started' ? ends.get(runId) : undefined;
      const question = investigations[at]?.questions[i] ?? '';
      return end ? [{ type: 'sub_run', runId, question, status: end.status }] : [];
    }),
  );
  const subRuns = given.subRuns?.map((run): SubRun => {
    return run.status === 'started' && ends.has(run.runId) ? { ...run, status: 'ended' } : run;
  });
  return { state: { ...given, subRuns }, events };
}

/** The wait for sub-runs; undefined once it has lasted as long as it may. */
function waitingOf({ clock }: RunDeps, state: Acting) {
  const now = clock();
  const before = state.waiting ?? { sinceMilliseconds: now, pauses: 0, pausedMilliseconds: 0 };
  const untilMilliseconds = before.sinceMilliseconds + limits.subRunPatienceSeconds * 1000;
  if (now >= untilMilliseconds) return undefined;
  const pauseMilliseconds = Math.min(limits.longestPauseMilliseconds, untilMilliseconds - now);
  const waiting = { ...before, pauses: before.pauses + 1, untilMilliseconds };
  return { state: { ...state, waiting }, pauseMilliseconds };
}
