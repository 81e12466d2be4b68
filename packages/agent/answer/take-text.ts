import { limits } from '@errand/platform';
import type { MadeCompletion, ThinkingState } from '../complete.ts';
import type { AgentState } from '../state.ts';
import { cutNotice, filterNotice, joinAnswer, withNotice } from './join-answer.ts';

/** The answer, or the state from which the model is asked to go on with it. */
export type WrittenAnswer = { answer: string } | { state: AgentState };

/**
 * What becomes of a completion without tool calls. An answer that was cut is continued and joined; one that is empty is
 * asked for once more. In the final check, what was cut or filtered is no answer if there is one already. With `isLast`
 * no further completion can be paid for.
 */
export function takeText(
  state: ThinkingState,
  { text, ending }: Pick<MadeCompletion, 'text' | 'ending'>,
  isLast: boolean,
): WrittenAnswer {
  if (state.phase === 'check' && state.answer.trim() !== '')
    return { answer: ending === 'whole' ? text : '' };
  const { text: before = '', continuations = 0 } = state.partial ?? {};
  const answer = joinAnswer(before, text);
  const next = { ...state, completions: state.completions + 1 };
  if (answer.trim() === '')
    return state.wasEmpty || isLast ? { answer } : { state: { ...next, wasEmpty: true } };
  if (ending === 'filtered') return { answer: withNotice(answer, filterNotice) };
  if (ending === 'whole') return { answer };
  const goesOn = !isLast && text.trim() !== '' && continuations < limits.answerContinuations;
  if (!goesOn) return { answer: withNotice(answer, cutNotice) };
  return { state: { ...next, partial: { text: answer, continuations: continuations + 1 } } };
}
