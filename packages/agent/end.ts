import { refusalReason, type UpstreamError } from '@errand/models';
import type { Cost } from '@errand/money';
import { cutNotice, withNotice } from './answer/join-answer.ts';
import { isNewAnswer } from './answer/new-answer.ts';
import { citeAnswer, withKnownSources } from './citations/cite-answer.ts';
import type { AgentEvent } from './data.ts';
import type { AgentDeps } from './deps.ts';
import type { AgentState, Progress } from './state.ts';

/** The check's text if that is a new answer, or else the loop's answer. */
export function checkedAnswer({ answer, sources, partial }: AgentState, text: string): string {
  const written = text.trim() === '' && partial ? withNotice(partial.text, cutNotice) : text;
  return isNewAnswer(written, answer) ? withKnownSources(written, sources) : answer;
}

/** Ends the run with an answer. */
export async function finish(
  deps: AgentDeps,
  state: AgentState,
  { answer, costs }: { answer: string; costs: Cost[] },
  signal: AbortSignal,
): Promise<Progress> {
  const { partial: _, wasEmpty: __, answerToCite: ___, ...rest } = state;
  const ended: AgentState = { ...rest, phase: 'ended', stepOpen: false, answer };
  if (answer.trim() === '') return { ...fail(state, 'The model gave no answer.'), costs };
  const citations = await citeAnswer(deps, state, answer, signal);
  const told: AgentEvent = { type: 'text', text: answer };
  return {
    events: [
      // Every answer is told twice, also one that the loop did not have.
      ...(state.answer.trim() === '' ? [told] : []),
      told,
      { type: 'step_complete', step: state.step },
      { type: 'done', finalText: answer },
    ],
    costs,
    state: ended,
    stopReason: state.stopReason,
    ...(citations.length > 0 && { citations }),
  };
}

/** Ends the run with an `error` event. */
export function fail(state: AgentState, message: string): Progress {
  return {
    events: [{ type: 'error', message }],
    costs: [],
    state: { ...state, phase: 'ended', stepOpen: false, calls: [] },
  };
}

/** The failure in words for the caller. */
export function describeUpstream(error: UpstreamError): string {
  switch (error.kind) {
    case 'refused':
      return refusalReason(error);
    case 'timeout':
      return 'The model did not answer in time.';
    case 'unreadable':
      return 'The model gave an answer that could not be read.';
    default:
      return 'The model could not be reached.';
  }
}
