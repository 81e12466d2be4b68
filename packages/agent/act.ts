import type { ToolCall } from '@errand/models';
import { limits } from '@errand/platform';
import { announcement, marked } from './announce.ts';
import type { RunDeps } from './answer/answer-form.ts';
import { afterAnswer, answerCall } from './answer-call.ts';
import { askCaller, judgeCalls } from './ask-caller.ts';
import { contextLeft } from './context/size.ts';
import type { AgentInput } from './conversation.ts';
import type { AgentEvent } from './data.ts';
import { type Fence, readsOwnUpload } from './outside/fence.ts';
import { allowingQuestion } from './outside/guarded.ts';
import { hasReadOutside } from './outside/material.ts';
import { readingRoom } from './reading/reading-room.ts';
import { actingFrom, startCalls } from './start-calls.ts';
import type { Acting, Progress } from './state.ts';
import { awaitReports, startSubRuns } from './sub-runs/investigate.ts';
import { keysOf, planSubRuns } from './sub-runs/plan-sub-runs.ts';
import { planTurn, sortTurn, type Turn } from './turn.ts';

/**
 * Announces the model's tool calls, makes them in parallel, and answers them in the order of the calls. A run that is taken over
 * makes no call again that acts and was begun.
 */
export async function* act(
  deps: RunDeps,
  input: AgentInput & { fence: Fence },
  given: Acting,
  signal: AbortSignal,
  isTakenOver = true,
): AsyncGenerator<Progress> {
  const { planned, state: known } = planTurn(deps, given);
  const fenced = await input.fence.check(known, planned.wanted);
  const judged = yield* judgeCalls(deps, allowingQuestion(input), known, fenced, signal);
  const { turn, state } = sortTurn(deps, planned, judged, fenced, isTakenOver ? given.begun : undefined);
  const announced = yield* announce(deps, turn, await plannedSubRuns(deps, turn, state), state);
  const { subRuns } = deps;
  const investigating = subRuns && turn.investigations.length > 0 ? { ...deps, subRuns } : undefined;
  const started = investigating
    ? yield* startInvestigations(investigating, input, turn, announced)
    : { state: announced, events: [] };
  const answered = yield* answerCalls(deps, input, turn, started.state, signal);
  const done = investigating
    ? yield* awaitReports(investigating, answered, investigationsOf(turn), { ...started, signal })
    : answered;
  if (!done) return;
  const left = yield* leaveOut(deps, done, turn.pastLimit);
  if (left.calls.length > 0) yield askCaller(left, turn);
}

const investigationsOf = ({ investigations, answered, made }: Turn) => ({
  investigations,
  answeredBefore: answered + made.length,
});

function plannedSubRuns(deps: RunDeps, turn: Turn, state: Acting): Promise<Acting> {
  const { investigations, answeredBefore } = investigationsOf(turn);
  const keys = keysOf(state, investigations, answeredBefore);
  const planned = investigations.map(({ questions }, i) => ({ key: keys[i]!, questions }));
  return planSubRuns(deps, state, planned);
}

/** Starts the sub-runs. Their events are committed with what follows at once, if nothing else is to be done before. */
async function* startInvestigations(
  deps: Parameters<typeof startSubRuns>[0],
  input: AgentInput,
  turn: Turn,
  given: Acting,
): AsyncGenerator<Progress, { state: Acting; events: AgentEvent[] }> {
  const { investigations, answeredBefore } = investigationsOf(turn);
  const started = await startSubRuns(deps, input, given, investigations, answeredBefore);
  if (started.events.length === 0 || turn.made.length === 0) return started;
  yield { ...started, costs: [] };
  return { ...started, events: [] };
}

/** Commits the events of the calls, and which calls that act are about to begin. */
async function* announce(
  deps: RunDeps,
  turn: Turn,
  given: Acting,
  before: Acting,
): AsyncGenerator<Progress, Acting> {
  let state = given;
  if (state.announced < turn.answerable) {
    const next = announcement(deps, turn, state);
    state = next.state;
    yield next;
  } else if (state !== before) yield { events: [], costs: [], state, isIntent: true };
  if (actingFrom(turn.prepared, 0) > 0 && !state.begun) {
    state = marked(deps, turn, state, 0);
    yield { events: [], costs: [], state, isIntent: true };
  }
  return state;
}

async function* answerCalls(
  deps: RunDeps,
  input: AgentInput,
  turn: Turn,
  given: Acting,
  signal: AbortSignal,
): AsyncGenerator<Progress, Acting> {
  const { made, prepared, answered } = turn;
  const stop = new AbortController();
  const toolInput = {
    signal: AbortSignal.any([signal, stop.signal]),
    afterOutside: hasReadOutside(given),
    isSubRun: input.isSubRun,
    question: allowingQuestion(input),
    sources: given.sources,
    room: readingRoom(contextLeft(deps), made.length),
    savedFiles: new Map(Object.entries(given.savedFiles)),
    savedOutside: new Set(given.savedOutside),
  };
  const started = startCalls(deps, prepared, toolInput, (i) =>
    [given.step, given.completions, answered + i].join('-'),
  );
  started.letBegin(given.begun ?? 0);
  let state = given;
  try {
    for (const [i, call] of made.entries()) {
      const answer = await started.answers[i]!;
      if (readsOwnUpload(prepared[i]!, input, state))
        state = { ...state, readings: withNewParts(state.readings, answer.text) };
      const progress = await answerCall(deps, state, call, answer);
      const next = i + 1;
      state = marked(deps, turn, progress.state, next);
      yield { ...progress, state: afterAnswer(deps, state) };
      started.letBegin(next + (state.begun ?? 0));
    }
  } finally {
    stop.abort();
  }
  return state;
}

/** Answers the calls past the limit of a completion. */
async function* leaveOut(
  deps: RunDeps,
  given: Acting,
  calls: readonly ToolCall[],
): AsyncGenerator<Progress, Acting> {
  const text = `Error: This call was not made: a turn may make ${limits.toolCallsPerCompletion}.`;
  let state = given;
  const events: AgentEvent[] = [];
  for (const call of calls) {
    const answered = await answerCall(deps, state, call, { text });
    events.push(...answered.events);
    state = answered.state;
  }
  if (calls.length > 0) yield { events, costs: [], state: afterAnswer(deps, state) };
  return state;
}

/**
 * Adds the paragraphs of a text that were not read before, so that reading a file again does not make the readings
 * longer.
 */
function withNewParts(readings: readonly string[], text: string): string[] {
  const known = new Set(readings.flatMap((reading) => reading.split('\n\n')));
  const added = text.split('\n\n').filter((part) => !known.has(part));
  return added.length === 0 ? [...readings] : [...readings, added.join('\n\n')];
}
