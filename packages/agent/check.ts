import { citedClaims } from './citations/cited-claims.ts';
import { checkPrompt } from './conversation.ts';
import type { AgentDeps } from './deps.ts';
import { checkedAnswer, finish } from './end.ts';
import { proveAnswer } from './prove-answer.ts';
import { readingRoom } from './reading/reading-room.ts';
import type { AgentState, Cost, Progress } from './state.ts';

/** Before the check's question: has the claims of the loop's answer proved, and names those that are not borne out in it. */
export async function proveFirst(
  deps: AgentDeps,
  state: AgentState,
  signal: AbortSignal,
): Promise<Progress | undefined> {
  const { proof } = deps;
  const isDue = proof && state.proven === undefined && mayProve(state, state.answer);
  if (!isDue) return undefined;
  const found = await proveAnswer({ ...deps, proof }, state, state.answer, signal);
  const { proven, weak, ownPassages, costs } = found;
  const content = checkPrompt(weak, readingRoom(deps.reasoning.contextTokens).shownCharacters);
  const messages = [...state.messages.slice(0, -1), { role: 'user' as const, content }];
  // What the model is shown of the caller's own files now must not leave in an address either.
  const readings = [...state.readings, ...ownPassages];
  return { events: [], costs, state: { ...state, proven, messages, readings } };
}

/** After the check: has the claims that it has changed proved, and ends the run. */
export async function proveLast(
  deps: AgentDeps,
  state: AgentState,
  signal: AbortSignal,
): Promise<Progress | undefined> {
  const { proof } = deps;
  const answer = state.answerToProve;
  if (answer === undefined) return undefined;
  if (!proof) return finish(deps, state, { answer, costs: [] }, signal);
  const { proven, costs } = await proveAnswer({ ...deps, proof }, state, answer, signal);
  return finish(deps, { ...state, proven }, { answer, costs }, signal);
}

/** Ends the check with its text, or with the loop's answer if the text is none. What is new in it is still to be proved. */
export async function endCheck(
  deps: AgentDeps,
  state: AgentState,
  text: string,
  costs: Cost[],
  signal: AbortSignal,
): Promise<Progress> {
  const answer = checkedAnswer(state, text);
  const isNew = answer !== state.answer;
  if (!deps.proof || !isNew || !mayProve(state, answer))
    return finish(deps, state, { answer, costs }, signal);
  return {
    events: [],
    costs,
    state: { ...state, completions: state.completions + 1, answerToProve: answer },
  };
}

const mayProve = ({ stopReason, sources }: AgentState, answer: string): boolean =>
  stopReason !== 'credits' && sources.length > 0 && citedClaims(answer).length > 0;
