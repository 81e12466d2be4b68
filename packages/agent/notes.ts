import type { ConversationMessage } from './data.ts';
import type { AgentState } from './state.ts';

const capNote =
  'All rounds of tool calls are used up: no more tools can be called. Answer now with what you have, and say what could not be found.';

const checkNote =
  'No more tools can be called. If the answer stays as it is, write the one word CONFIRMED. If it has to change, write the new answer, whole, with no word about this check.';

const continueNote =
  'Your answer was cut off at its greatest length. Go on exactly where it stopped, in the middle of a word if need be. Repeat nothing, and add no remark.';

const emptyNote = 'Your last message was empty. Write the answer.';

/** What the model is told for one completion alone. No later one sees it. */
export function notesFor({ phase, partial, wasEmpty }: AgentState, atCap: boolean): ConversationMessage[] {
  const atEnd = phase === 'check' ? checkNote : capNote;
  const note = partial ? continueNote : wasEmpty ? emptyNote : atCap ? atEnd : undefined;
  if (note === undefined) return [];
  return [
    ...(partial ? [{ role: 'assistant' as const, content: partial.text }] : []),
    { role: 'user', content: note },
  ];
}
