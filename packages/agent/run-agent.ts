import { act } from './act.ts';
import { announceAtOnce } from './announce.ts';
import type { RunDeps } from './answer/answer-form.ts';
import { answerForm } from './answer/value-form.ts';
import { begin, readForced } from './begin.ts';
import { type AgentInput, mostRounds } from './conversation.ts';
import type { AgentDeps } from './deps.ts';
import { finish } from './finish.ts';
import { type Fence, makeFence } from './outside/fence.ts';
import { type AgentState, initialState, type Progress } from './state.ts';
import { openStep, think } from './think.ts';

/**
 * Works on a question and yields, piece by piece, what has to be committed, until a terminal event. A piece announces what follows it at once. If called with a
 * state that it yielded earlier, it continues there. Throws `signal.reason` when aborted. Before that it may yield
 * costs without events, for calls that were not answered, or that a provider had in work. These costs are committed only if the run ends now, because
 * a worker that takes the run over makes the calls again. Yields a pause while a provider fails: the caller waits.
 */
export async function* runAgent(
  ownDeps: AgentDeps,
  input: AgentInput,
  given: AgentState = initialState,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<Progress> {
  let state = given;
  const { meter, brought } = ownDeps;
  let deps: RunDeps = { ...ownDeps, form: answerForm(input), mostRounds: mostRounds(input) };
  meter.resume(state.fetched);
  const fence = makeFence(deps.memory, input, brought?.secrets);
  try {
    if (brought) {
      const { tools, notices } = await brought.open(signal);
      deps = { ...deps, tools: [...deps.tools, ...tools], notices };
      state = { ...state, outsideSince: state.outsideSince ?? 0 };
    }
    const resumed = state;
    while (state.phase !== 'ended') {
      signal.throwIfAborted();
      const { phase } = state;
      for await (const piece of nextPiece(deps, { ...input, fence }, state, signal, state === resumed)) {
        const own: Progress = { ...piece, state: { ...piece.state, fetched: meter.fetched() } };
        if (piece.pauseMilliseconds === undefined) delete own.state.waiting;
        // Who stops here begins nothing.
        const progress = signal.aborted ? own : withNext(deps, fence, phase, own);
        state = progress.state;
        yield progress;
      }
    }
  } catch (error) {
    const costs = signal.aborted ? await deps.calls.brokenOff(state) : [];
    if (costs.length > 0) yield { events: [], costs, state };
    throw error;
  } finally {
    await Promise.all([deps.calls.end(), brought?.close()]);
  }
}

/**
 * A piece that ends a phase, with what is announced next: the step, and the calls of a completion. Nothing is asked for that, so that it takes no
 * time and costs nothing. What our own code throws here it throws again once the piece is committed: what was paid for is not lost by it.
 */
function withNext(deps: RunDeps, fence: Fence, before: AgentState['phase'], piece: Progress): Progress {
  try {
    const opened = piece.state.phase === 'open' ? joined(piece, openStep(piece.state)) : piece;
    const { state } = opened;
    const calls = state.phase === 'act' && before !== 'act' ? announceAtOnce(deps, fence, state) : undefined;
    return calls ? joined(opened, calls) : opened;
  } catch {
    return piece;
  }
}

const joined = (piece: Progress, next: Progress): Progress => ({
  ...piece,
  ...next,
  events: [...piece.events, ...next.events],
  costs: piece.costs,
  alone: piece.alone ?? piece,
});

function nextPiece(
  deps: RunDeps,
  input: AgentInput & { fence: Fence },
  state: Exclude<AgentState, { phase: 'ended' }>,
  signal: AbortSignal,
  isTakenOver: boolean,
): AsyncIterable<Progress> | Progress[] {
  switch (state.phase) {
    case 'start':
      return begin(deps, input, state, signal);
    case 'forced':
      return readForced(deps, input, state, signal);
    case 'open':
      return [openStep(state)];
    case 'think':
      return think(deps, state, signal);
    case 'act':
      return act(deps, input, state, signal, isTakenOver);
    case 'cite':
      return finish(deps, state, signal);
  }
}
