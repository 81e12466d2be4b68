import type { AgentInput } from '../conversation.ts';
import type { Guarded } from '../data.ts';
import type { SubRunEnd } from '../deps.ts';
import { guardedOf, initialState, type RunSoFar } from '../state.ts';
import { hasReadOutside } from './material.ts';

/** For the sub-runs of a run. */
export const guardedForSubRuns = (input: AgentInput, state: RunSoFar): Guarded => ({
  input: {
    isSubRun: true,
    callersQuestion: allowingQuestion(input),
    hasPrivateQuestion: input.attachment || state.readings.length > 0 ? true : undefined,
  },
  state: { ...guardedOf(state), outsideSince: hasReadOutside(state) ? 0 : undefined, savedOutside: [] },
});

/** Of a sub-run that is over. One of which nothing is known may have read anything. */
export const guardedAtEnd = (state: RunSoFar = { ...initialState, outsideSince: 0 }): Guarded['state'] =>
  guardedOf(state);

/** For a run that takes the reports of its sub-runs, which may have what these know. Whether they are from outside, the answer of the call says. */
export function guardedWithEnds(own: RunSoFar, ends: readonly SubRunEnd[]): Guarded['state'] {
  const all = [own, ...ends.map(({ guarded }) => guarded)];
  return {
    outsideSince: own.outsideSince,
    knownValues: [...new Set(all.flatMap(({ knownValues }) => knownValues))],
    savedOutside: [...new Set(all.flatMap(({ savedOutside }) => savedOutside))],
  };
}

/** For a run that goes on from another, `input` if it goes on with its question. If that is private, it is among the readings from now on. */
export const guardedForNext = (input: AgentInput, state: RunSoFar): Guarded => ({
  input: { isSubRun: undefined, callersQuestion: input.callersQuestion, hasPrivateQuestion: undefined },
  // Completions are counted anew: -1 where the model had seen material from outside before its last calls, which may be made yet.
  state: {
    ...guardedOf(state),
    outsideSince: state.outsideSince === undefined ? undefined : hasReadOutside(state) ? -1 : 0,
  },
});

/** What lets the run do what it else may not. The question of a sub-run lets it do nothing: a model wrote it, perhaps as a page wanted. */
export const allowingQuestion = ({ question, callersQuestion }: AgentInput): string =>
  callersQuestion ?? question;

/** The texts of the caller's own files, and a question that may have pieces of them. */
export const privateTexts = (
  { attachment, question, hasPrivateQuestion }: AgentInput,
  readings: readonly string[],
): string[] => [
  ...(hasPrivateQuestion ? [question] : []),
  ...(attachment?.kind === 'document' ? [attachment.text] : []),
  ...readings,
];
