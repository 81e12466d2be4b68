import { failureFields, type ToolCall, UpstreamError } from '@errand/models';
import { brokenNotice, cutNotice, withNotice } from './answer/join-answer.ts';
import { isJson } from './call.ts';
import { complete, type MadeCompletion, payForCompletion } from './complete.ts';
import { contextLeft } from './context/size.ts';
import { answerPrompt, checkPrompt, roundsLeft } from './conversation.ts';
import { stepDescriptions, textEvents } from './data.ts';
import type { AgentDeps } from './deps.ts';
import { describeUpstream, endCheck, fail, mayCite } from './finish.ts';
import { confirmedAnswer } from './offered-tools.ts';
import { proveAnswer } from './prove-answer.ts';
import { readingRoom } from './reading/reading-room.ts';
import {
  type Acting,
  type CheckOf,
  type LoopOf,
  type Opening,
  type Progress,
  type StopReason,
  soFar,
  type Thinking,
} from './state.ts';
import { takeText, tellWrittenCall, toUser, withNote, wordsOf } from './take-text.ts';
import { waitFor } from './wait.ts';

/** Announces the step of the loop, or of the check. */
export function openStep(state: Opening): Progress {
  const step = state.step + 1;
  const { calls, approved, cutCall, judged, wasEmpty, gotRoom, writtenCalls, ...rest } = state;
  return {
    events: [{ type: 'step_start', step, description: stepDescriptions[state.part] }],
    costs: [],
    state: calls
      ? { ...rest, phase: 'act', step, calls, approved, cutCall, judged, announced: 0 }
      : { ...rest, phase: 'think', step, wasEmpty, gotRoom, writtenCalls },
  };
}

/** Makes one completion, which ends in tool calls, in the loop's answer or in the run's answer. */
export async function* think(
  deps: AgentDeps,
  given: Thinking,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  if (given.part === 'check' && given.stopReason === 'credits')
    return yield endCheck(deps, given, '', [], signal);
  const state = given.part === 'check' ? yield* proveFirst(deps, given, signal) : given;
  const atCap = roundsLeft(state) <= 0;
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
    return yield answerWithoutModel(deps, state, error, signal);
  }
  const { calls, costs } = completion;
  const confirmed = confirmedAnswer(state, completion);
  if (confirmed !== undefined && state.part === 'check')
    return yield endCheck(deps, state, confirmed, costs, signal);
  if (calls.length > 0) return yield callTools(state, completion, calls);
  const told = paid.isLast ? undefined : tellWrittenCall(deps, state, completion, !atCap);
  if (told) return yield { events: [], costs, state: told };
  const written = takeText(state, completion, paid.isLast);
  if (typeof written !== 'string') yield { events: [], costs, state: written };
  else if (state.part === 'check') yield endCheck(deps, state, written, costs, signal);
  else yield endLoop(state, written, completion, paid.isLast ? 'credits' : atCap ? 'rounds' : undefined);
}

/**
 * Before the check's question: has the claims of the loop's answer proved, and names those that are not borne out in it.
 * Returns the state with that question.
 */
async function* proveFirst(
  deps: AgentDeps,
  state: CheckOf<Thinking>,
  signal: AbortSignal,
): AsyncGenerator<Progress, CheckOf<Thinking>> {
  const { proof } = deps;
  // Another question in place of one that was sent would cost the run what its provider has cached.
  const isSent = state.rounds > 0 || state.wasEmpty || state.partial;
  const isDue =
    proof && !isSent && !state.isProved && mayCite(state, state.answer) && state.stopReason !== 'credits';
  if (!isDue) return state;
  const found = yield* proveAnswer({ ...deps, proof }, state, state.answer, signal);
  const content = checkPrompt(found.weak, readingRoom(contextLeft(deps)).shownCharacters);
  const messages = [...state.messages.slice(0, -1), { role: 'user' as const, content }];
  // What the model is shown of the caller's own files now must not leave in an address either.
  const readings = [...state.readings, ...found.ownPassages];
  return { ...found.state, messages, readings, isProved: true };
}

/** Takes the calls of a completion, which are answered next. */
function callTools(given: Thinking, completion: MadeCompletion, calls: ToolCall[]): Progress {
  const { text, ending, costs, messages, leftOut, opaque } = completion;
  const { partial: _, wasEmpty: __, writtenCalls: ___, gotRoom: ____, ...state } = given;
  const cut =
    ending === 'whole' ? undefined : calls.findLast(({ function: { arguments: json } }) => !isJson(json));
  const acting: Acting = {
    ...state,
    phase: 'act',
    cutCall: cut?.id,
    rounds: state.rounds + 1,
    completions: state.completions + 1,
    messages: [
      ...messages,
      {
        role: 'assistant',
        content: text || null,
        tool_calls: calls.map((call) => sendable(call, cut)),
        opaque,
      },
    ],
    leftOut,
    calls: [...calls.filter((call) => !isInputRequest(call)), ...calls.filter(isInputRequest)],
    announced: 0,
  };
  return { events: textEvents(text), costs, state: acting };
}

/** Servers refuse a conversation that has arguments which are no JSON. */
const sendable = (call: ToolCall, cut: ToolCall | undefined): ToolCall =>
  call === cut ? { ...call, function: { ...call.function, arguments: '{}' } } : call;

const isInputRequest = (call: ToolCall) => call.function.name === 'request_input';

/** Ends the loop. With a reason, the answer is what the model wrote last if it has written nothing now. */
function endLoop(
  state: LoopOf<Thinking>,
  written: string,
  { text, opaque, costs, messages, leftOut }: Omit<MadeCompletion, 'calls' | 'ending' | 'needsRoom'>,
  stopReason: Exclude<StopReason, 'schema'> | undefined,
): Progress {
  const answer = stopReason && written.trim() === '' ? lastTextWritten(state, stopReason) : written;
  const isAnswered = answer.trim() !== '';
  const isWritten = text.trim() !== '' || state.partial !== undefined;
  const said = wordsOf(isWritten ? { text, opaque } : { text: answer });
  const prompt = isAnswered ? checkPrompt() : answerPrompt;
  return {
    events: [...textEvents(answer), { type: 'step_complete', step: state.step }],
    costs,
    state: {
      ...soFar(state),
      phase: 'open',
      part: 'check',
      completions: state.completions + 1,
      rounds: 0,
      answer,
      stopReason,
      leftOut,
      notes: state.notes,
      messages: said.length > 0 ? [...messages, ...said, toUser(prompt)] : withNote(messages, prompt),
    },
  };
}

const noAnswerReached: Record<Exclude<StopReason, 'schema'>, string> = {
  rounds: 'No answer was reached in the rounds of tool calls that a run may make.',
  credits: 'No answer was reached with the credits that were left.',
};

/** The last text that the model wrote, as the answer of a run that has to stop and got no text at its end. */
function lastTextWritten({ messages }: LoopOf<Thinking>, stopReason: Exclude<StopReason, 'schema'>): string {
  const texts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content.trim()] : [],
  );
  return texts.findLast(Boolean) ?? noAnswerReached[stopReason];
}

/** An answer that was begun stays, though its model fails. */
function answerWithoutModel(
  deps: AgentDeps,
  state: Thinking,
  error: UpstreamError,
  signal: AbortSignal,
): Progress | Promise<Progress> {
  const begun = begunAnswer(state, brokenNotice);
  if (state.part === 'check') return endCheck(deps, state, begun, [], signal);
  return state.partial
    ? endLoop(state, begun, noCompletion(state), undefined)
    : { ...fail(state, describeUpstream(error)), ...(error.kind === 'refused' && { isRefused: true }) };
}

/** The answer is what was written so far. The check is left out. */
const answerWithoutCredits = (
  deps: AgentDeps,
  state: Thinking,
  signal: AbortSignal,
): Progress | Promise<Progress> =>
  state.part === 'check'
    ? endCheck(deps, { ...state, stopReason: 'credits' }, begunAnswer(state, cutNotice), [], signal)
    : endLoop(state, begunAnswer(state, cutNotice), noCompletion(state), 'credits');

/** Stands for a completion that was not made. The note at the end, which was for that completion, is not for the check. */
const noCompletion = ({ messages, leftOut = {}, partial }: Thinking) => ({
  text: '',
  costs: [],
  messages: partial ? messages.slice(0, -1) : messages,
  leftOut,
});

const begunAnswer = ({ partial }: Thinking, notice: string): string =>
  partial ? withNotice(partial.text, notice) : '';
