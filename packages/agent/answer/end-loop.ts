import type { Cost } from '@errand/money';
import { withKnownSources } from '../citations/cite-answer.ts';
import { answerPrompt, checkPrompt } from '../conversation.ts';
import { textEvents } from '../data.ts';
import type { AgentState, Progress, StopReason } from '../state.ts';

/** Ends the loop. With a reason, the answer is what the model wrote last if it has written nothing now. */
export function endLoop(
  { partial: _, wasEmpty: __, ...state }: AgentState,
  written: string,
  costs: Cost[],
  stopReason: StopReason | undefined,
): Progress {
  const found = stopReason && written.trim() === '' ? lastTextWritten(state, stopReason) : written;
  const text = withKnownSources(found, state.sources);
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
        { role: 'user', content: text.trim() === '' ? answerPrompt : checkPrompt() },
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
