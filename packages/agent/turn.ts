import { type ToolCall, UpstreamError } from '@errand/models';
import { limits } from '@errand/platform';
import { takeText } from './answer/take-text.ts';
import { isJson } from './call.ts';
import { complete, type MadeCompletion, payForCompletion, type ThinkingState } from './complete.ts';
import { answerPrompt, checkPrompt } from './conversation.ts';
import type { AgentDeps } from './deps.ts';
import { describeUpstream, fail, finish } from './end.ts';
import { type AgentEvent, stepDescriptions } from './events.ts';
import { isConfirmation } from './offered-tools.ts';
import type { AgentState, Cost, Progress, StopReason } from './state.ts';
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
  if (state.phase === 'check' && state.stopReason === 'credits') return yield finish(state, '', []);
  const atCap = state.rounds >= maxRounds[state.phase];
  const paid = await payForCompletion(deps, state, atCap);
  if (!paid) return yield answerWithoutCredits(state);
  let completion: MadeCompletion;
  try {
    completion = await complete(deps, state, paid, signal);
  } catch (error) {
    signal.throwIfAborted();
    await paid.call.release();
    if (!(error instanceof UpstreamError)) throw error;
    const pause = waitFor(deps, state, error);
    if (pause) return yield pause;
    deps.log.warn('model failed', { kind: error.kind, status: error.status });
    yield state.phase === 'check' ? finish(state, '', []) : fail(state, describeUpstream(error));
    return;
  }
  const stopReason = paid.isLast ? 'credits' : atCap && state.phase === 'loop' ? 'rounds' : undefined;
  yield takeCompletion(state, completion, stopReason);
}

function takeCompletion(
  state: ThinkingState,
  completion: MadeCompletion,
  stopReason: StopReason | undefined,
): Progress {
  const { calls, costs, messages } = completion;
  const wanted = calls.filter((call) => !isConfirmation(call.function.name));
  if (wanted.length > 0) return callTools({ ...state, messages }, completion, wanted);
  if (calls.length > 0 && state.phase === 'check') return finish(state, '', costs);
  const written = takeText(state, completion, stopReason === 'credits');
  if ('state' in written) return { events: [], costs, state: written.state };
  if (state.phase === 'check') return finish(state, written.answer, costs);
  return answerLoop(state, written.answer, costs, stopReason);
}

/** The answer is what was written so far. The check is left out. */
const answerWithoutCredits = (state: ThinkingState): Progress =>
  state.phase === 'check'
    ? finish({ ...state, stopReason: 'credits' }, '', [])
    : answerLoop(state, '', [], 'credits');

const textEvents = (text: string): AgentEvent[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function callTools(from: AgentState, { text, ending, costs }: MadeCompletion, calls: ToolCall[]): Progress {
  const { wasEmpty: _, ...state } = from;
  const cut =
    ending === 'whole' ? undefined : calls.findLast(({ function: { arguments: json } }) => !isJson(json));
  return {
    events: textEvents(text),
    costs,
    state: {
      ...state,
      ...(cut && { cutCall: cut.id }),
      rounds: state.rounds + 1,
      completions: state.completions + 1,
      messages: [
        ...state.messages,
        { role: 'assistant', content: text || null, tool_calls: calls.map((call) => sendable(call, cut)) },
      ],
      calls: [...calls.filter((call) => !isInputRequest(call)), ...calls.filter(isInputRequest)],
      announced: 0,
    },
  };
}

/** Servers refuse a conversation that has arguments which are no JSON. */
const sendable = (call: ToolCall, cut: ToolCall | undefined): ToolCall =>
  call === cut ? { ...call, function: { ...call.function, arguments: '{}' } } : call;

const isInputRequest = (call: ToolCall) => call.function.name === 'request_input';

/** Ends the loop. With a reason, the answer is what the model wrote last if it has written nothing now. */
function answerLoop(
  { partial: _, wasEmpty: __, ...state }: AgentState,
  written: string,
  costs: Cost[],
  stopReason: StopReason | undefined,
): Progress {
  const text = stopReason && written.trim() === '' ? lastTextWritten(state, stopReason) : written;
  return {
    events: [...textEvents(text), { type: 'step_complete', step: state.step }],
    costs,
    state: {
      ...state,
      ...(stopReason && { stopReason }),
      phase: 'check',
      stepOpen: false,
      rounds: 0,
      completions: state.completions + 1,
      answer: text,
      messages: [
        ...state.messages,
        ...(text.trim() === '' ? [] : [{ role: 'assistant' as const, content: text }]),
        { role: 'user', content: text.trim() === '' ? answerPrompt : checkPrompt },
      ],
    },
  };
}

const noAnswerReached: Record<StopReason, string> = {
  rounds: 'No answer was reached in the rounds of tool calls that a run may make.',
  credits: 'No answer was reached with the credits that were left.',
};

/** The last text that the model wrote, as the answer of a run that has to stop and got no text at its end. */
function lastTextWritten({ messages }: AgentState, stopReason: StopReason): string {
  const texts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content.trim()] : [],
  );
  return texts.findLast(Boolean) ?? noAnswerReached[stopReason];
}
