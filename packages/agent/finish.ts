import { notSetUpMessage, refusalReason, type UpstreamError } from '@errand/models';
import type { Cost } from '@errand/money';
import type { RunDeps } from './answer/answer-form.ts';
import { cutNotice, withNotice } from './answer/join-answer.ts';
import type { AgentEvent, ConversationMessage } from './data.ts';
import { proveAnswer } from './prove-answer.ts';
import {
  type AgentState,
  type CheckOf,
  type Citing,
  type Conversation,
  conversationOf,
  ended,
  type Progress,
  type StopReason,
  soFar,
  type Thinking,
  type Whole,
} from './state.ts';

/** Ends the check with the answer that it gave, or with the loop's answer if it gave none. */
export async function endCheck(
  deps: RunDeps,
  state: CheckOf<Thinking>,
  text: string,
  costs: Cost[],
  signal: AbortSignal,
): Promise<Progress> {
  const checked = checkedAnswer(state, text);
  if (!mayCite(deps, state, checked)) return endRun(deps, state, { checked, costs }, signal);
  const { part, answer, stopReason, fits, proven, proofPasses } = state;
  // The cost of the check is committed before the citations are made, because making them takes time.
  return {
    events: [],
    costs,
    state: {
      ...soFar(state),
      phase: 'cite',
      part,
      completions: state.completions + 1,
      answer,
      stopReason,
      fits,
      proven,
      proofPasses,
      answerToCite: checked,
      ...answered(state, checked),
    } satisfies Whole<Citing>,
  };
}

/** The conversation as it stands with the answer, for a run that goes on from it. A check that has called nothing leaves no trace. */
function answered(conversation: Conversation, answer: string): Whole<Conversation> {
  const { messages } = conversation;
  const loop = withoutCheck(messages);
  const isUntouched = loop !== messages;
  // The same answer keeps what its provider has sent with it.
  if (isUntouched && loop.at(-1)?.content === answer)
    return { ...conversationOf(conversation), messages: loop };
  const before = isUntouched ? loop.slice(0, -1) : messages;
  return { ...conversationOf(conversation), messages: [...before, { role: 'assistant', content: answer }] };
}

/** The question of a check that has called nothing is not for whoever asks the next one. */
export function withoutCheck(messages: ConversationMessage[]): ConversationMessage[] {
  const [answer, question] = messages.slice(-2);
  return question?.role === 'user' && answer?.role === 'assistant' ? messages.slice(0, -1) : messages;
}

function checkedAnswer({ answer, partial }: CheckOf<Thinking>, text: string): string {
  const written = text.trim() === '' && partial ? withNotice(partial.text, cutNotice) : text;
  return written.trim() === '' ? answer : written;
}

export const mayCite = ({ form }: RunDeps, { sources }: AgentState, answer: string): boolean =>
  form.claimsOf(answer, sources).length > 0;

/** After the check: has the claims that it has changed proved, and ends the run with its citations. */
export async function* finish(deps: RunDeps, given: Citing, signal: AbortSignal): AsyncGenerator<Progress> {
  const { proof } = deps;
  const { answerToCite: checked } = given;
  const isDue = proof && checked !== given.answer && given.stopReason !== 'credits';
  const { state } = isDue ? yield* proveAnswer({ ...deps, proof }, given, checked, signal) : { state: given };
  yield endRun(deps, state, { checked, costs: [] }, signal);
}

/** Ends the run with the answer that the check has left. */
async function endRun(
  deps: RunDeps,
  state: CheckOf<Thinking> | Citing,
  { checked, costs }: { checked: string; costs: Cost[] },
  signal: AbortSignal,
): Promise<Progress> {
  if (checked.trim() === '') return { ...fail(state, 'The model gave no answer.'), costs };
  const answer = await deps.form.tell(deps, state, checked, signal);
  if ('misfit' in answer) return { ...fail(state, answer.misfit, 'schema'), costs };
  const { text, citations, ...more } = answer;
  const told: AgentEvent = { type: 'text', text };
  return {
    events: [
      // Every answer is sent twice, including an answer that the loop did not have.
      ...(state.answer.trim() === '' ? [told] : []),
      told,
      { type: 'step_complete', step: state.step },
      { type: 'done', finalText: text },
    ],
    costs,
    state: ended(state, {
      conversation: state.phase === 'cite' ? conversationOf(state) : answered(state, checked),
    }),
    ...(citations.length > 0 && { citations }),
    ...more,
  };
}

/** Ends the run with an `error` event. */
export const fail = (state: AgentState, message: string, stopReason?: StopReason): Progress => ({
  events: [{ type: 'error', message }],
  costs: [],
  state: stopReason ? { ...ended(state), stopReason } : ended(state),
});

/** The failure in words for the caller. */
export function describeUpstream(error: UpstreamError): string {
  switch (error.kind) {
    case 'refused':
      return refusalReason(error);
    case 'misconfigured':
      return notSetUpMessage;
    case 'timeout':
      return 'The model did not answer in time.';
    case 'unreadable':
      return 'The model gave an answer that could not be read.';
    default:
      return 'The model could not be reached.';
  }
}
