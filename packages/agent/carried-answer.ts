import { sha256Hex } from '@errand/platform';
import type { AgentInput } from './conversation.ts';
import type { ConversationMessage } from './data.ts';
import { withoutCheck } from './finish.ts';
import type { AgentState, Followed } from './state.ts';

/** The check in which a run has ended, for another that goes on with it. */
export function checkOf(input: AgentInput, state: AgentState): Followed['check'] {
  if (!('part' in state) || state.part !== 'check' || state.phase === 'cite') return undefined;
  const { answer, stopReason, fits, isProved, proven, proofPasses } = state;
  return { answer, stopReason, fits, schema: schemaOf(input), isProved, proven, proofPasses };
}

/** Tells schemas apart. Undefined for prose. */
export const schemaOf = ({ outputSchema }: AgentInput): string | undefined =>
  outputSchema === undefined ? undefined : sha256Hex(outputSchema);

/** What asked the run before for its value, or for the check of its answer, is not for another question. */
export function withoutQuestion(
  { check, writing }: Followed,
  messages: ConversationMessage[],
): ConversationMessage[] {
  if (check) return withoutCheck(messages);
  return writing && messages.at(-2)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}
