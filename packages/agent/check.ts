import type { Cost } from '@errand/money';
import { citedClaims } from './citations/cited-claims.ts';
import { contextLeft } from './context/size.ts';
import { checkPrompt } from './conversation.ts';
import type { AgentDeps } from './deps.ts';
import { checkedAnswer, finish } from './end.ts';
import { proveAnswer } from './prove-answer.ts';
import { readingRoom } from './reading/reading-room.ts';
import type { AgentState, Progress } from './state.ts';

/**
 * Before the check's question: has the claims of the loop's answer proved, and names those that are not borne out in it.
 * Returns the state with that question.
 */
export async function* proveFirst<State extends AgentState>(
  deps: AgentDeps,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<Progress, State> {
  const { proof } = deps;
  const isDue = proof && !state.isProved && mayCite(state, state.answer) && state.stopReason !== 'credits';
  if (!isDue) return state;
  const found = yield* proveAnswer({ ...deps, proof }, state, state.answer, signal);
  const content = checkPrompt(found.weak, readingRoom(contextLeft(deps)).shownCharacters);
  const messages = [...state.messages.slice(0, -1), { role: 'user' as const, content }];
  // What the model is shown of the caller's own files now must not leave in an address either.
  const readings = [...state.readings, ...found.ownPassages];
  return { ...state, ...found.state, messages, readings, isProved: true };
}

/** Ends the check with its text, or with the loop's answer if the text is none. */
export async function endCheck(
  deps: AgentDeps,
  state: AgentState,
  text: string,
  costs: Cost[],
  signal: AbortSignal,
): Promise<Progress> {
  const answer = checkedAnswer(state, text);
  if (!mayCite(state, answer)) return finish(deps, state, { answer, costs }, signal);
  // What the check has cost is committed before the citations are made, which takes time.
  return { events: [], costs, state: { ...state, completions: state.completions + 1, answerToCite: answer } };
}

/** After the check: has the claims that it has changed proved, and ends the run with its citations. */
export async function* endWithCitations(
  deps: AgentDeps,
  state: AgentState,
  answer: string,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  const { proof } = deps;
  const isDue = proof && answer !== state.answer && state.stopReason !== 'credits';
  const proved = isDue ? yield* proveAnswer({ ...deps, proof }, state, answer, signal) : { state };
  yield finish(deps, proved.state, { answer, costs: [] }, signal);
}

const mayCite = ({ sources }: AgentState, answer: string): boolean =>
  sources.length > 0 && citedClaims(answer).length > 0;
