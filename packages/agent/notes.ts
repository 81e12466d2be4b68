import type { AgentState, ConversationMessage } from './state.ts';

const capNote =
  'All rounds of tool calls are used up: no more tools can be called. Answer now with what you have, and say what could not be found.';

const continueNote =
  'Your answer was cut off at its greatest length. Go on exactly where it stopped, in the middle of a word if need be. Repeat nothing, and add no remark.';

const emptyNote = 'Your last message was empty. Write the answer.';

/** What the model is told for one completion alone. No later one sees it. */
export function notesFor({ partial, wasEmpty }: AgentState, atCap: boolean): ConversationMessage[] {
  const note = partial ? continueNote : wasEmpty ? emptyNote : atCap ? capNote : undefined;
  if (note === undefined) return [];
  return [
    ...(partial ? [{ role: 'assistant' as const, content: partial.text }] : []),
    { role: 'user', content: note },
  ];
}
