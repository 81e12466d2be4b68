import type { UpstreamError } from '@errand/models';
import { isNewAnswer } from './answer/new-answer.ts';
import type { AgentEvent } from './events.ts';
import type { AgentState, Cost, Progress } from './state.ts';

/** Ends the run with the check's text if that is a new answer, or else with the loop's answer. */
export function finish(state: AgentState, text: string, costs: Cost[]): Progress {
  const answer = isNewAnswer(text, state.answer) ? text : state.answer;
  const { partial: _, ...rest } = state;
  const ended: AgentState = { ...rest, phase: 'ended', stepOpen: false, answer };
  if (answer.trim() === '') return { ...fail(state, 'The model gave no answer.'), costs };
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
    ...(state.stopReason && { stopReason: state.stopReason }),
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
      return 'The model refused the request.';
    case 'timeout':
      return 'The model did not answer in time.';
    case 'unreadable':
      return 'The model gave an answer that could not be read.';
    default:
      return 'The model could not be reached.';
  }
}
