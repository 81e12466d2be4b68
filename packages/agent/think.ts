import { failureFields, type ToolCall, UpstreamError } from '@errand/models';
import type { RunDeps } from './answer/answer-form.ts';
import { brokenNotice, cutNotice, withNotice } from './answer/join-answer.ts';
import { describeUnpaid } from './answer/value-prompts.ts';
import { isJson } from './call.ts';
import { complete, type MadeCompletion, payForCompletion } from './complete.ts';
import { contextLeft } from './context/size.ts';
import { answerPrompt, roundsLeft } from './conversation.ts';
import { stepDescriptions, textEvents } from './data.ts';
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
  type Writing,
} from './state.ts';
import { takeText, tellWrittenCall, toUser, withNote, wordsOf } from './take-text.ts';
import { waitFor } from './wait.ts';
import { endFindings, isResult, repairOf, repairOfCheck, startWriting } from './write-value.ts';

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
export async function* think(deps: RunDeps, given: Thinking, signal: AbortSignal): AsyncGenerator<Progress> {
  if (given.part === 'check' && given.stopReason === 'credits')
    return yield endCheck(deps, given, '', [], signal);
  const begun = given.part === 'check' ? yield* proveFirst(deps, given, signal) : atCapWriting(deps, given);
  const atCap = roundsLeft(begun, deps.mostRounds) <= 0;
  const { state, paid } = await payOrWrite(deps, begun, atCap);
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
  yield takeCompletion(deps, state, { completion, isLast: paid.isLast, atCap }, signal);
}

/** What becomes of a completion that is made. */
async function takeCompletion(
  deps: RunDeps,
  state: Thinking,
  { completion, isLast, atCap }: { completion: MadeCompletion; isLast: boolean; atCap: boolean },
  signal: AbortSignal,
): Promise<Progress> {
  const { calls, costs } = completion;
  if (isWriting(state)) return takeValue(deps, state, completion, isLast, signal);
  const confirmed = confirmedAnswer(state, completion, deps.form);
  if (confirmed !== undefined && state.part === 'check')
    return takeCheck(deps, state, { text: confirmed, completion }, signal);
  if (calls.length > 0) return callTools(state, completion, calls);
  const told = isLast ? undefined : tellWrittenCall(deps, state, completion, !atCap);
  if (told) return { events: [], costs, state: told };
  const written = takeText(deps, state, completion, isLast);
  if (typeof written !== 'string') return { events: [], costs, state: written };
  if (state.part === 'check') return takeCheck(deps, state, { text: written, completion }, signal);
  const stopReason = isLast ? 'credits' : atCap ? 'rounds' : undefined;
  if (!deps.form.value) return endLoop(deps, state, { written, stopReason }, completion);
  if (await isResult(deps, state, completion, signal)) return endLoop(deps, state, { written }, completion);
  return endFindings(state, deps.form.value.isJson(written), completion);
}

const isWriting = (state: Thinking): state is LoopOf<Thinking> & { writing: Writing } =>
  state.part === 'loop' && state.writing !== undefined;

/** A value is written once all rounds are used up, without another word before it. */
const atCapWriting = ({ form, mostRounds }: RunDeps, state: LoopOf<Thinking>): LoopOf<Thinking> =>
  form.value && !state.writing && roundsLeft(state, mostRounds) <= 0 ? startWriting(state, 'rounds') : state;

/** Pays for the completion. A value is written with the last credits that there are. */
async function payOrWrite(deps: RunDeps, state: Thinking, atCap: boolean) {
  const paid = await payForCompletion(deps, state, atCap);
  const isSoon = deps.form.value && state.part === 'loop' && !state.writing;
  if (!isSoon || (paid && !paid.isLast)) return { state, paid };
  await paid?.call.release();
  const writing = startWriting(state, 'credits');
  return { state: writing, paid: await payForCompletion(deps, writing, atCap) };
}

async function takeValue(
  deps: RunDeps,
  state: LoopOf<Thinking> & { writing: Writing },
  completion: MadeCompletion,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Progress> {
  const { stopReason } = state.writing;
  const repair = await repairOf(deps, state, completion, isLast, signal);
  const ending = { written: completion.text, stopReason: isLast ? ('credits' as const) : stopReason };
  return repair ?? endLoop(deps, state, ending, completion);
}

async function takeCheck(
  deps: RunDeps,
  state: CheckOf<Thinking>,
  { text, completion }: { text: string; completion: MadeCompletion },
  signal: AbortSignal,
): Promise<Progress> {
  const { costs } = completion;
  const taken = await repairOfCheck(deps, state, { text, completion }, signal);
  if ('phase' in taken) return { events: [], costs, state: taken };
  return endCheck(deps, state, taken.text, costs, signal);
}

/**
 * Before the check's question: has the claims of the loop's answer proved, and names those that are not borne out in it.
 * Returns the state with that question.
 */
async function* proveFirst(
  deps: RunDeps,
  state: CheckOf<Thinking>,
  signal: AbortSignal,
): AsyncGenerator<Progress, CheckOf<Thinking>> {
  const { proof } = deps;
  // Another question in place of one that was sent would cost the run what its provider has cached.
  const isSent = state.rounds > 0 || state.wasEmpty || state.partial || state.writing;
  const isDue =
    proof &&
    !isSent &&
    !state.isProved &&
    mayCite(deps, state, state.answer) &&
    state.stopReason !== 'credits';
  if (!isDue) return state;
  const found = yield* proveAnswer({ ...deps, proof }, state, state.answer, signal);
  const content = deps.form.checkPrompt(found.weak, readingRoom(contextLeft(deps)).shownCharacters);
  const messages = [...state.messages.slice(0, -1), { role: 'user' as const, content }];
  // What the model is shown of the caller's own files now must not leave in an address either.
  const readings = [...state.readings, ...found.ownPassages];
  return { ...found.state, messages, readings, isProved: true };
}

/** Takes the calls of a completion, which are answered next. */
function callTools(given: Thinking, completion: MadeCompletion, calls: ToolCall[]): Progress {
  const { text, ending, costs, messages, leftOut, opaque } = completion;
  const { partial: _, wasEmpty: __, writtenCalls: ___, gotRoom: ____, writing: _____, ...state } = given;
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
  { form }: RunDeps,
  state: LoopOf<Thinking>,
  { written, stopReason }: { written: string; stopReason?: Exclude<StopReason, 'schema'> },
  { text, opaque, costs, messages, leftOut }: Omit<MadeCompletion, 'calls' | 'ending' | 'needsRoom'>,
): Progress {
  const answer = stopReason && written.trim() === '' ? lastTextWritten(state, stopReason) : written;
  const isAnswered = answer.trim() !== '';
  const isWritten = text.trim() !== '' || state.partial !== undefined;
  const said = wordsOf(isWritten ? { text, opaque } : { text: answer });
  const prompt = isAnswered ? form.checkPrompt() : answerPrompt;
  return {
    events: [...textEvents(form.value?.told(answer) ?? answer), { type: 'step_complete', step: state.step }],
    costs,
    state: {
      ...soFar(state),
      phase: 'open',
      part: 'check',
      completions: state.completions + 1,
      rounds: 0,
      answer,
      stopReason,
      ...(form.value && { fits: true }),
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
  deps: RunDeps,
  state: Thinking,
  error: UpstreamError,
  signal: AbortSignal,
): Progress | Promise<Progress> {
  const begun = begunAnswer(state, brokenNotice);
  if (state.part === 'check') return endCheck(deps, state, begun, [], signal);
  return state.partial
    ? endLoop(deps, state, { written: begun }, noCompletion(state))
    : { ...fail(state, describeUpstream(error)), ...(error.kind === 'refused' && { isRefused: true }) };
}

/** The answer is what was written so far. The check is left out. A value is whole, or there is none. */
function answerWithoutCredits(
  deps: RunDeps,
  state: Thinking,
  signal: AbortSignal,
): Progress | Promise<Progress> {
  const written = begunAnswer(state, cutNotice);
  if (state.part === 'check') return endCheck(deps, { ...state, stopReason: 'credits' }, written, [], signal);
  if (deps.form.value) return fail(state, describeUnpaid, 'credits');
  return endLoop(deps, state, { written, stopReason: 'credits' }, noCompletion(state));
}

/** Stands for a completion that was not made. The note at the end, which was for that completion, is not for the check. */
const noCompletion = ({ messages, leftOut = {}, partial }: Thinking) => ({
  text: '',
  costs: [],
  messages: partial ? messages.slice(0, -1) : messages,
  leftOut,
});

const begunAnswer = ({ partial }: Thinking, notice: string): string =>
  partial ? withNotice(partial.text, notice) : '';
