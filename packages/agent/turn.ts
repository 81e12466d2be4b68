import { failureFields, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import { endLoop } from './answer/end-loop.ts';
import { brokenNotice, cutNotice, withNotice } from './answer/join-answer.ts';
import { takeText } from './answer/take-text.ts';
import { callTools } from './call-tools.ts';
import { endCheck, endWithCitations, proveFirst } from './check.ts';
import { complete, type MadeCompletion, payForCompletion, type ThinkingState } from './complete.ts';
import { type AgentEvent, stepDescriptions } from './data.ts';
import type { AgentDeps } from './deps.ts';
import { describeUpstream, fail } from './end.ts';
import { isConfirmation } from './offered-tools.ts';
import type { AgentState, Progress, StopReason } from './state.ts';
import { waitFor } from './wait.ts';

const maxRounds = { loop: limits.roundsPerRun, check: 1 } as const;

/** Makes one completion, which ends in tool calls, in the loop's answer or in the run's answer. */
export async function* think(
  deps: AgentDeps,
  state: ThinkingState,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  if (!state.stepOpen) {
    const step = state.step + 1;
    const events: AgentEvent[] = [{ type: 'step_start', step, description: stepDescriptions[state.phase] }];
    yield { events, costs: [], state: { ...state, step, stepOpen: true } };
    return;
  }
  const { answerToCite } = state;
  if (answerToCite !== undefined) yield* endWithCitations(deps, state, answerToCite, signal);
  else if (state.phase === 'loop') yield* thinkOnce(deps, state, signal);
  else if (state.stopReason === 'credits') yield endCheck(deps, state, '', [], signal);
  else yield* thinkOnce(deps, yield* proveFirst(deps, state, signal), signal);
}

async function* thinkOnce(
  deps: AgentDeps,
  state: ThinkingState,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  const atCap = state.rounds >= maxRounds[state.phase];
  const paid = await payForCompletion(deps, state, atCap);
  if (!paid) return yield answerWithoutCredits(deps, state, signal);
  let completion: MadeCompletion;
  try {
    completion = await complete(deps, state, paid, signal);
  } catch (error) {
    signal.throwIfAborted();
    await paid.call.release();
    if (!(error instanceof UpstreamError)) throw error;
    const pause = waitFor(deps, state, error);
    if (pause) return yield pause;
    deps.log.warn('model failed', failureFields(error));
    yield answerWithoutModel(deps, state, error, signal);
    return;
  }
  const stopReason = paid.isLast ? 'credits' : atCap && state.phase === 'loop' ? 'rounds' : undefined;
  yield takeCompletion(deps, state, { completion, stopReason }, signal);
}

function takeCompletion(
  deps: AgentDeps,
  state: ThinkingState,
  { completion, stopReason }: { completion: MadeCompletion; stopReason: StopReason | undefined },
  signal: AbortSignal,
): Progress | Promise<Progress> {
  const { calls, costs, messages, leftOut } = completion;
  const wanted = calls.filter((call) => !isConfirmation(call.function.name));
  if (wanted.length > 0) return callTools({ ...state, messages, leftOut }, completion, wanted);
  if (calls.length > 0 && state.phase === 'check') return endCheck(deps, state, '', costs, signal);
  const written = takeText(state, completion, stopReason === 'credits');
  if ('state' in written) return { events: [], costs, state: written.state };
  if (state.phase === 'check') return endCheck(deps, state, written.answer, costs, signal);
  return endLoop(state, written.answer, costs, stopReason);
}

/** An answer that was begun stays, though its model fails. */
function answerWithoutModel(
  deps: AgentDeps,
  state: ThinkingState,
  error: UpstreamError,
  signal: AbortSignal,
): Progress | Promise<Progress> {
  const begun = begunAnswer(state, brokenNotice);
  if (state.phase === 'check') return endCheck(deps, state, begun, [], signal);
  return state.partial ? endLoop(state, begun, [], undefined) : fail(state, describeUpstream(error));
}

/** The answer is what was written so far. The check is left out. */
const answerWithoutCredits = (
  deps: AgentDeps,
  state: ThinkingState,
  signal: AbortSignal,
): Progress | Promise<Progress> =>
  state.phase === 'check'
    ? endCheck(deps, { ...state, stopReason: 'credits' }, begunAnswer(state), [], signal)
    : endLoop(state, begunAnswer(state), [], 'credits');

const begunAnswer = ({ partial }: AgentState, notice = cutNotice): string =>
  partial ? withNotice(partial.text, notice) : '';
